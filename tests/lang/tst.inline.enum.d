/* inlines and enumerators are constants where constants are wanted. */
#pragma D option quiet

enum size { SMALL = 2, LARGE = SMALL * 4 };
inline int COUNT = LARGE + 1;
int v[COUNT];
struct s { char c[COUNT]; };

BEGIN
{
	v[COUNT - 1] = 3;
	printf("%d %d %d\n", sizeof (v), sizeof (struct s), v[LARGE]);
	@ = lquantize(3, 0, COUNT, SMALL);
	exit(0);
}

END
{
	clear(@);
	trunc(@);
}
