/* flags: -q */
/* Levels 8 to 10 bind looser than comparison, and & over ^ over |. */
BEGIN
{
	printf("%d %d %d\n", 6 & 3, 6 ^ 3, 6 | 3);
	printf("%d %d\n", 1 | 2 ^ 3 & 2, 4 & 4 == 4);
	printf("%x\n", 0xf0 | 0x0f & 0x3);
	printf("%d %d\n", 7 & ~2, -1 & 0xff);
	exit(0);
}
