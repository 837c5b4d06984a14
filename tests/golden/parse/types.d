typedef unsigned long long word;
struct node;
typedef struct node {
	struct node *next, **links[4];
	const char *const name;
	unsigned flags : 3, : 5, ready : 1;
	union {
		int as_int;
		struct { short lo, hi; } as_pair;
	};
	int (*compare)(const struct node *, const void *, ...);
	enum { RED, BLACK = 4, LAST = BLACK << 1 } color;
} node;

extern node *root;
word counts[16], matrix[2][3];
string names[int, string];
self node *current;
this char buf[sizeof (node) * 2];
int *(*(*table)[3])(void);
char *restrict end, *const restrict *restrict ends;
restrict word odd;
struct vmlinux`list_head *head;
vmlinux`sector_t sector;

BEGIN
{
	(node *)arg0;
	(word)-1;
	(struct node **)arg1 + (int)arg2;
	sizeof (node) + sizeof (int (*)(void)) + sizeof root->next;
	offsetof(node, next);
	stringof(root->name) == "x";
	((node *)arg0)->next->links[2];
	(mystery *)arg0;
	(mystery) - 1;
}
