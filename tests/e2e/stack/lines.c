/* Functions that are inlined into others; tests know the numbers of its lines. */
#include <unistd.h>

volatile int sink;

static inline __attribute__((always_inline)) void
innermost(int n)
{
	write(-1, "", (size_t)n);
	sink++;
}

static inline __attribute__((always_inline)) void
middle(int n)
{
	sink += n;
	innermost(n);
	sink -= n;
}

__attribute__((noinline)) void
outer(int n)
{
	middle(n);
	sink++;
}

__attribute__((noinline)) void
twice(int n)
{
	innermost(n);
	middle(n + 1);
	sink++;
}

int
main(void)
{
	for (int i = 0; i < 3; i++)
		outer(7);
	twice(7);
	return 0;
}
