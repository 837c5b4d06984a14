/* flags: -q */
/* Level 14: only one arm is evaluated; right to left. */
int n;

BEGIN
{
	x = 3;
	printf("%s\n", x < 2 ? "few" : x < 4 ? "some" : "many");
	y = x ? n++ : (n += 10);
	printf("%d %d\n", y, n);
	printf("%d\n", 0 ? 1 : 0 ? 2 : 3);
	printf("%d\n", (x > 2 ? -1 : 1U) < 0);
	z = x == 3 ? 1 : 0;
	printf("%d\n", z);
	exit(0);
}
