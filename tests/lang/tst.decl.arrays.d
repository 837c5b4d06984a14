/* flags: -q */
/* C arrays have places, associative arrays any keys. */
int c[4];
int grid[2][3];
string names[int, string];

BEGIN
{
	for (int i = 0; i < 4; i++)
		c[i] = i * i;
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 3; j++)
			grid[i][j] = 10 * i + j;
	printf("%d %d %d\n", c[3], grid[1][2], grid[0][1]);
	names[1, "one"] = "uno";
	names[-1, ""] = "minus";
	printf("[%s] [%s] [%s]\n", names[1, "one"], names[-1, ""],
	    names[2, "two"]);
	seen["a", 1] = 5;
	seen["a", 1]++;
	seen["b", 1] += 2;
	printf("%d %d %d\n", seen["a", 1], seen["b", 1], seen["c", 0]);
	names[1, "one"] = NULL;
	printf("[%s]\n", names[1, "one"]);
	exit(0);
}
