/* Lines that tests know by number: several places of one, some inlined. */
#include <stdio.h>

volatile int sink;

static inline __attribute__((always_inline)) int
add(int a, int b)
{
	sink += a;
	return a + b;
}

__attribute__((noinline)) int
work(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		sum = add(sum, i);
		if (i % 2)
			sink++;
	}
	return sum;
}

__attribute__((noinline)) int
rest(int n)
{
	sink = add(n, 1);
	sink = add(sink, 2) + add(3, sink);
	return sink;
}

int
main(void)
{
	int sum = work(10);

	sum += rest(5);
	printf("%d\n", sum);
	return 0;
}
