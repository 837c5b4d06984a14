/* Casts cut and extend as in C. */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %u\n", (char)255, (unsigned char)-1, (uint16_t)-1,
	    (uint32_t)-1);
	printf("%d %d\n", (uint8_t)300, (int8_t)200);
	printf("%d %d\n", (uint64_t)-1 > 0, (int64_t)-1 > 0);
	printf("%p %d\n", (void *)16, (long)(int *)16);
	this->x = 0x12345678;
	printf("%d %d %d\n", (int)this->x, (short)this->x, (char)this->x);
	exit(0);
}
