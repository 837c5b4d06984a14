/* flags: -q
 * status: 1
 * There is no base 1. */
BEGIN
{
	this->base = 1;
	printf("%s\n", lltostr(7, this->base));
}

ERROR
{
	printf("fault %d\n", arg4);
	exit(1);
}
