/* flags: -q */
/* Enumerators count on from the last value; they are constants. */
enum color { RED, GREEN = 5, BLUE, DARK = -1 };
enum { ALONE = BLUE * 2 };
enum color c;

BEGIN
{
	printf("%d %d %d %d %d\n", RED, GREEN, BLUE, DARK, ALONE);
	c = GREEN;
	printf("%d %d\n", c == GREEN, c < BLUE);
	printf("%s\n", c == RED ? "red" : "not red");
	exit(0);
}
