/* typedef: other names for types, in any order of words. */
#pragma D option quiet

typedef long long big_t, *big_p;
typedef int pair_t[2];
typedef unsigned char byte_t;
typedef struct point { byte_t x; byte_t y; } point_t;
typedef struct point *point_p;
unsigned typedef int odd_t;

pair_t pair;
point_t p;
big_t big;
odd_t odd;

BEGIN
{
	pair[1] = 7;
	p.x = 259;
	big = 1;
	printf("%d %d %d\n", sizeof (big_p), sizeof (odd_t), pair[1]);
	printf("%d %d\n", p.x, big);
	exit(0);
}
