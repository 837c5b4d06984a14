/* flags: -q */
BEGIN
{
	printf("[%p] [%#p]\n", 0xffffffff81000000, (void *)0x1234);
	printf("[%?x] [%-?x]\n", 0x12, 0x12);
	exit(0);
}
