/* Elements that are counted down: what each form gives, in the width of its type. */
#pragma D option quiet
int c[int];
uint8_t u[int];
short s[int];
unsigned x[int];
int64_t q[int];

BEGIN
{
	c[1] = 5;
	printf("%d %d %d %d\n", c[1]--, --c[1], c[1] -= 2, c[1]);
	u[1] = 1;
	printf("%d %d %d\n", u[1]--, --u[1], u[1] -= 3);
	printf("%d %d %d\n", s[4]--, s[4] -= 32767, s[4] -= 1);
	printf("%d %u %u\n", x[1]--, x[1], x[1] -= 4294967295);
	q[1] -= 5;
	printf("%d %d\n", q[1], q[1]++ + --q[1]);
	c[9] -= -3;
	printf("%d %d %d\n", c[9], c[9] -= c[9], c[9]);
	exit(0);
}
