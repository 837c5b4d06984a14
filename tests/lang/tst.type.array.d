/* C arrays have a size and lie in memory; arrays of arrays. */
#pragma D option quiet

int v[3];
char grid[4][2];
struct { long l[2]; } s;

BEGIN
{
	v[1] = 10;
	v[2] = 20;
	v[0] = v[1] * 0;
	printf("%d %d %d\n", v[0], v[1], v[2]);
	v[0] = v[1] + v[2] + 30;
	printf("%d\n", v[0]);
	grid[2][1] = 5;
	printf("%d\n", grid[2][1] + grid[3][1]);
	printf("%d %d\n", sizeof (grid), sizeof (grid[0]));
	exit(0);
}
