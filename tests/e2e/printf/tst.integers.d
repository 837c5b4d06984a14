/* flags: -q */
BEGIN
{
	printf("[%d] [%i] [%u]\n", -5, -5, 5);
	printf("[%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42);
	printf("[%x] [%X] [%#x] [%o] [%#o]\n", 0xbeef, 0xbeef, 0xbeef, 8, 8);
	printf("[%8x] [%08x] [%-8x] [%#8x]\n", 0xab, 0xab, 0xab, 0xab);
	printf("[%.4d] [%8.4d]\n", 42, 42);
	printf("[%*d] [%-*d] [%.*d]\n", 6, 42, 6, 42, 4, 42);
	exit(0);
}
