/* An enumerator by its name; a value that has none as a number. */
/* flags: -q */
enum colour { RED, GREEN, DARK = -1 };
enum colour c;
struct thing { enum colour c; } t;
BEGIN
{
	print(GREEN);
	print((enum colour)1);
	print((enum colour)7);
	c = DARK;
	print(c);
	t.c = GREEN;
	print(t);
	exit(0);
}
