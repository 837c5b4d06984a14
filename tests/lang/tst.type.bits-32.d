/* flags: -q
 * Bit-fields of 31 to 33 bits: an int, an unsigned int, and what they were
 * declared as. */
struct s {
	unsigned long a:31, b:32, c:33;
	long d:31, e:32, f:33;
};
struct s s;

BEGIN
{
	s.a = s.b = s.c = s.d = s.e = s.f = 1;
	printf("%d %d %d\n", (s.a - 2) / 2 == 0, (s.b - 2) / 2 == 2147483647,
	    (s.c - 2) / 2 == 9223372036854775807);
	printf("%d %d %d\n", s.a - 2 < 0, s.b - 2 > 0, s.c - 2 > 0);
	printf("%d %d %d\n", s.d - 2 < 0, s.e - 2 < 0, s.f - 2 < 0);
	printf("%d %d %d\n", sizeof (+s.a), sizeof (+s.b), sizeof (+s.c));
	printf("%d %d %d\n", sizeof (+s.d), sizeof (+s.e), sizeof (+s.f));
	exit(0);
}
