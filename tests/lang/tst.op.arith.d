/* flags: -q */
/* Levels 2 to 5: unary, * / %, + -, shifts. */
BEGIN
{
	printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
	printf("%d %d %d\n", 2 + 3 * 4, (2 + 3) * 4, 2 * 3 % 4);
	printf("%d %d\n", 10 - 4 - 3, 100 / 10 / 5);
	printf("%d %u %d\n", -1 >> 1, (uint32_t)-1 >> 28, 1 << 4 + 1);
	printf("%d %d %d\n", !5, !0, !!7);
	printf("%x %d %d\n", (uint8_t)~0x0f, - -3, +4);
	printf("%d %d\n", -2147483647 - 1, (int)(2147483647 + 1L));
	printf("%u\n", 4294967295 + 1);
	x = 5;
	printf("%d %d %d\n", x++, x, ++x);
	printf("%d %d %d\n", x--, x, --x);
	exit(0);
}
