/* flags: -q
 * Conversions of integers, as in C; the size of the operand rules. */
BEGIN
{
	printf("[%d] [%i] [%o] [%u] [%x] [%X]\n", 42, 42, 42, 42, 42, 42);
	printf("[%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42);
	printf("[%#x] [%#X] [%#o] [%08x] [%-8x]\n", 42, 42, 42, 42, 42);
	printf("[%.4d] [%8.4d] [%-8.4d] [%+.2d]\n", 42, 42, 42, 4);
	printf("[%d] [%hd] [%ld] [%lld]\n", (char)-1, (short)-2, (long)-3,
	    (long long)-4);
	printf("[%d] [%d]\n", (char)0xef, (short)0xcdef);
	printf("[%u] [%x] [%x]\n", (char)0xef, (char)-1, (short)-1);
	printf("[%d] [%i]\n", (unsigned short)0xffff, (unsigned short)0xffff);
	printf("[%d] [%u]\n", 0xffffffffffffffff, 0xffffffffffffffff);
	printf("[%d] [%i] [%d] [%+d]\n", (unsigned)-1, (uint8_t)-1, -1ul, 1u);
	printf("[%x] [%o] [%x] [%x]\n", -1, -1, (char)-1, -1L);
	printf("[%*d] [%-*d] [%.*d]\n", 6, 42, 6, 42, 4, 42);
	printf("[%p] [%#p] [%?x]\n", (void *)0xbeef, (void *)0xbeef, 0xbeef);
	printf("[%c] [%5c] [%-5c] [%C] [%%]\n", 'a', 'b', 'c', '\n');
	exit(0);
}
