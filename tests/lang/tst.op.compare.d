/* flags: -q */
/* Levels 6 and 7: signs, sizes and strings. */
BEGIN
{
	printf("%d %d %d\n", -1 < 1, -1 < 1U, -1L < 1U);
	printf("%d %d\n", (int8_t)200 < 0, (uint8_t)200 < 0);
	printf("%d %d %d\n", 1 < 2 == 1, 3 > 2 > 1, 0 == 0 != 0);
	printf("%d %d %d\n", "abc" < "abd", "b" > "abc", "" < "a");
	printf("%d %d\n", "x" == "x", "x" != "x ");
	s = "begin";
	printf("%d %d\n", s == "begin", probename == "BEGIN");
	printf("%d %d\n", s >= "beg", "\xff" > "a");
	exit(0);
}
