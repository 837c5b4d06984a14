/* flags: -q */
BEGIN
{
	a = 10;
	a += 5; printf("%d ", a);
	a -= 3; printf("%d ", a);
	a *= 2; printf("%d ", a);
	a /= 5; printf("%d ", a);
	a <<= 4; printf("%d ", a);
	a >>= 1; printf("%d ", a);
	a |= 3; printf("%d ", a);
	a &= 0x1e; printf("%d ", a);
	a ^= 0xff; printf("%d ", a);
	a %= 100; printf("%d\n", a);
	b = 5;
	printf("%d ", b++); printf("%d ", b);
	printf("%d ", ++b); printf("%d ", b--);
	printf("%d ", b); printf("%d\n", --b);
	c++;
	printf("%d\n", c);
	exit(0);
}
