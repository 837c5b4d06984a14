/* Bit-fields have their width behind the name, and no more bits than that. */
/* flags: -q */
struct bits {
	int a:3;
	unsigned b:7;
	int c:22;
	long d:40;
	unsigned long e:1;
} b;
BEGIN
{
	b.a = -1; b.b = 100; b.c = -2; b.d = 1L << 38; b.e = 1;
	print(b);
	print(b.a);
	exit(0);
}
