/* Integers are shown in base 16, as wide as they are; 0 is 0. */
/* flags: -q */
BEGIN
{
	print(1);
	print(-1);
	print((char)-1 == -1);
	print((short)-2);
	print((int8_t)-3);
	print((uint8_t)0xfe);
	print((uint64_t)0);
	print((long)1 << 40);
	print(0x80000000u);
	print(-1L);
	exit(0);
}
