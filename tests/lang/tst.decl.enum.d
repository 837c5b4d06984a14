/* flags: -q */
/* Enumerators count on from the last value; they are constants. */
enum color { RED, GREEN = 5, BLUE, DARK = -1 };
enum { ALONE = BLUE * 2 };
enum shifted { SIGN = 1 << 31, NEXT, BOTH = (1 << 31) | 1, LESS = ~(1 << 31) };
enum color c;

BEGIN
{
	printf("%d %d %d %d %d\n", RED, GREEN, BLUE, DARK, ALONE);
	printf("%d %d %d %d\n", SIGN, NEXT, BOTH, LESS);
	c = GREEN;
	printf("%d %d\n", c == GREEN, c < BLUE);
	printf("%s\n", c == RED ? "red" : "not red");
	exit(0);
}
