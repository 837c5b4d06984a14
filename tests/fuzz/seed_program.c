/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A small library with debugging information of most kinds, from which fuzzers of what
 * reads such begin.
 */
enum seed_color { SEED_RED = -1, SEED_BLUE = 7 };
union seed_word { long whole; short half; unsigned low : 3, high : 29; };
struct seed_list {
	struct seed_list *next;
	union seed_word word;
	enum seed_color color;
	char name[16];
	int (*fn)(const char *, ...);
	double d;
	volatile const char *where;
};
typedef struct seed_list seed_list_t;

seed_list_t seed_list;

int seed_sum(const seed_list_t *l, int n, const char *why);

static inline int
inlined(int n)
{
	return n * 3 + (int)seed_list.word.whole;
}

int
seed_sum(const seed_list_t *l, int n, const char *why)
{
	char on_stack[64];
	int sum = 0;

	for (int i = 0; i < n && l; i++, l = l->next) {
		on_stack[i & 63] = l->name[i & 15];
		sum += inlined(on_stack[i & 63]) + *why;
	}
	return l && l->fn ? l->fn(l->name, sum) : sum;
}
