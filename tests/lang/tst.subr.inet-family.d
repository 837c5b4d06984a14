/* flags: -q
 * status: 1
 * Other families have no text: the fault is an illegal operation. */
uint8_t address[16];

BEGIN
{
	this->family = 17;
	printf("%s\n", inet_ntop(this->family, address));
}

ERROR
{
	printf("fault %d\n", arg4);
	exit(1);
}
