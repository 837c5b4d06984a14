/* flags: -q
 * 64 random bits. */
BEGIN
{
	this->some = random() | random() | random() | random();
	printf("%d %d\n", (this->some >> 32) != 0, (this->some << 32) != 0);
	printf("%d\n", random() != random());
	exit(0);
}
