/* flags: -q */
/* A variable that began as an int and holds a time or an address now. */
BEGIN
{
	start = 0;
	at = 0;
	self->t = 0;
	start = 1000000000000000000;
	at = self->t == 0 ? 0x123456789abc : 0;
	self->t = start;
}
BEGIN
{
	printf("%Y\n%Y\n%p %Y\n", start, self->t + 60000000000, at, start - start);
	exit(0);
}
