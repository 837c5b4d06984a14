/* flags: -q */
BEGIN
{
	printf("%d %d %d %d\n", (char)0xef, (short)0xcdef, (int)0x89abcdef,
	    (long)-1);
	printf("%u %u %u %u\n", (char)-1, (short)-1, (int)-1, (long)-1);
	printf("%x %x %x %x\n", (char)-1, (short)-1, (int)-1, (long)-1);
	printf("%hd %ld %lld %hx %lx %llx\n", (short)1, (long)2, (int64_t)3,
	    (short)4, (long)5, (uint64_t)6);
	printf("%d %d\n", 2147483647, 9223372036854775807);
	printf("%u\n", 18446744073709551615);
	exit(0);
}
