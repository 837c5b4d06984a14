/* flags: -q
 * An address and a size, in scratch memory. */
BEGIN
{
	this->ref = memref((void *)0x1234, 16);
	printf("%x %d\n", this->ref[0], this->ref[1]);
	exit(0);
}
