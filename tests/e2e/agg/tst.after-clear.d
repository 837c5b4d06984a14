/* What is counted after clear() counts from zero. */
/* flags: -q */
BEGIN
{
	@ = sum(5);
	clear(@);
}

tick-50ms
{
	@ = sum(2);
	exit(0);
}
