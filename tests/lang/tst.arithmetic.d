/* flags: -q */
BEGIN
{
	a = 7;
	b = -2;
	printf("%d %d %d %d %d\n", a + b, a - b, a * b, a / b, a % b);
	printf("%d %d %d %d\n", a << 3, b >> 1, a & 3, a | 8);
	printf("%d %d %d\n", a ^ 1, ~a, -a);
	printf("%d %d %d %d %d %d\n", a < b, a <= b, a > b, a >= b, a == b,
	    a != b);
	printf("%d %d %d %d\n", a && 0, a || 0, a ^^ 1, !a);
	printf("%d %s\n", a > 3 ? 10 : 20, a > 10 ? "big" : "small");
	printf("%d\n", 2 + 3 * 4 - (5 - 6) * 7);
	printf("%d %d\n", sizeof (int), sizeof (uint64_t));
	printf("%u\n", (uint64_t)1 << 63);
	printf("%d %d\n", 'A', (char)200);
	exit(0);
}
