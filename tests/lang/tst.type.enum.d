/* Enumerators are constants of the program. */
#pragma D option quiet

enum colour { RED, GREEN, YELLOW = 10, BLUE };
enum { LOW = -5, NEXT, LAST = BLUE + 1 };
typedef enum colour colour_t;

colour_t c;

BEGIN
{
	printf("%d %d %d %d\n", RED, GREEN, YELLOW, BLUE);
	printf("%d %d %d\n", LOW, NEXT, LAST);
	c = BLUE;
	printf("%d %d\n", sizeof (colour_t), c == BLUE);
	printf("%d is %s\n", c, c == RED ? "RED" : "BLUE");
	exit(0);
}
