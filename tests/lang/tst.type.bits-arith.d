/* In arithmetic a bit-field is an int when an int holds it, as in C; one of an
 * enum has a sign only when an enumerator has. */
#pragma D option quiet

enum state { IDLE, BUSY, DONE, LOST };
enum side { LEFT = -1, MIDDLE, RIGHT };
struct flags {
	unsigned int narrow:31;
	unsigned int full:32;
	unsigned long wide:13;
	enum state state:2;
	enum side side:2;
};
struct flags f;
int minus;

BEGIN
{
	minus = -2;
	f.narrow = 1;
	f.full = 1;
	f.wide = 1;
	printf("%d %d %d\n", minus < f.narrow, minus < f.full, minus < f.wide);
	printf("%d %d %d\n", -f.narrow < 0, -f.full > 0, ~f.wide < 0);
	printf("%d %d\n", (f.narrow - 2) / 2 == 0, f.narrow / minus);
	f.narrow = 7;
	f.narrow /= minus;
	f.wide = 7;
	f.wide %= minus;
	printf("%d %d\n", f.narrow == 2147483645, f.wide);
	f.state = LOST;
	f.side = LEFT;
	printf("%d %d %d %d\n", f.state == LOST, f.state, f.side == LEFT,
	    f.side);
	printf("%d %d\n", f.state = DONE, f.state++);
	printf("%d\n", f.state > BUSY);
	print(f.state);
	exit(0);
}
