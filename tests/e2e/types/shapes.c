/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A program with types of its own: each data structure is shown by a system call
 * that fails, whose number of bytes tells which it is.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum color { RED = -1, GREEN, BLUE = 7 };

struct item {
	struct item *next;
	const char *name;
	int value;
	enum color color;
	unsigned low : 3, high : 5;
	signed int wide : 13;
	union {
		int number;
		unsigned char bytes[4];
	};
	char text[8];
};

typedef struct leaf {
	struct leaf *left, *right;
	long key;
} leaf_t;

struct bucket {
	struct bucket *chain;
	const char *key;
	int count;
};

struct table {
	unsigned size;
	struct bucket *slots[4];
};

struct flexible {
	int n;
	struct { short x, y; } points[];
};

/* The kernel has another of that name. */
struct file {
	const char *our_name;
	int our_number;
};

struct item *items;
struct table words = { .size = 4 };
static int counter = 41;
struct item *nowhere = (struct item *)16;
long matrix[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
struct file own_file = { "a file of ours", 9 };

static struct item *
push(const char *name, int value, enum color color)
{
	struct item *i = calloc(1, sizeof(*i));

	i->next = items;
	i->name = name;
	i->value = value;
	i->color = color;
	i->low = (unsigned)value % 8;
	i->high = 17;
	i->wide = -value;
	i->number = 0x01020304;
	strcpy(i->text, "text");
	return items = i;
}

static leaf_t *
plant(long low, long high)
{
	if (low > high)
		return NULL;
	leaf_t *l = malloc(sizeof(*l));
	l->key = (low + high) / 2;
	l->left = plant(low, l->key - 1);
	l->right = plant(l->key + 1, high);
	return l;
}

static void
enter(const char *key)
{
	struct bucket **at = &words.slots[(unsigned char)*key % 4];

	for (struct bucket *b = *at; b; b = b->chain)
		if (strcmp(b->key, key) == 0) {
			b->count++;
			return;
		}
	struct bucket *b = malloc(sizeof(*b));
	*b = (struct bucket){ *at, key, 1 };
	*at = b;
}

__attribute__((noinline)) struct item *
look_at(const struct item *i, const char *why, short depth, double weight,
	enum color color)
{
	__asm__ volatile("" ::: "memory");
	return weight > 2 ? NULL : i->next;
}

int
main(void)
{
	struct flexible *f = calloc(1, sizeof(*f) + 12);

	push("three", 30, RED);
	push("two", 20, BLUE);
	push("one", 10, GREEN);
	write(-1, items, 1);
	write(-1, plant(1, 7), 2);
	enter("apple");
	enter("banana");
	enter("apple");
	enter("egg");
	write(-1, &words, 3);
	f->n = 3;
	for (short i = 0; i < 3; i++) {
		f->points[i].x = i;
		f->points[i].y = (short)(i * i);
	}
	write(-1, f, 4);
	counter++;
	write(-1, &own_file, 5);
	for (short i = 1; i <= 3; i++)
		look_at(items, "for a reason", i, i, BLUE);
	return 0;
}
