/* flags: -q */
/* Levels 11 to 13: && and || stop early, ^^ does not. */
int n;

BEGIN
{
	printf("%d %d %d\n", 1 && 2, 0 || 0, 2 ^^ 3);
	printf("%d %d\n", 0 ^^ 5, 1 || 0 && 0);
	x = 0 && n++;
	x = 1 || n++;
	printf("%d\n", n);
	x = 1 ^^ n++;
	x = 0 ^^ n++;
	printf("%d\n", n);
	printf("%d\n", 1 ^^ 1 && 0);
	printf("%d\n", curthread && 1);
	exit(0);
}
