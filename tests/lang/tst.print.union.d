/* A union shows its bytes by each of its members. */
/* flags: -q */
union number {
	long l;
	double d;
	int i[2];
} u;
BEGIN
{
	u.l = 0x3ff8000000000000;
	print(u);
	exit(0);
}
