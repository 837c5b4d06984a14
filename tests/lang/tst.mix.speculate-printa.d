/* flags: -q
 * What a speculation asks of aggregations is done when it is committed. */
BEGIN
{
	@["early"] = count();
	self->yes = speculation();
}

BEGIN
{
	speculate(self->yes);
	printf("speculated\n");
	printa("%s %@d\n", @);
}

BEGIN
{
	@["late"] = count();
	printf("before\n");
}

BEGIN
{
	commit(self->yes);
}

BEGIN
{
	exit(0);
}
