/* flags: -q
 * The kernel's numbers of devices: 12 bits and 20. */
BEGIN
{
	this->dev = (259 << 20) | 5;
	printf("%d %d\n", getmajor(this->dev), getminor(this->dev));
	printf("%d %d\n", getmajor(0x00800001), getminor(0x00800001));
	exit(0);
}
