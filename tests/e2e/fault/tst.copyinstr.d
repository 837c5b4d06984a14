/* flags: -q */
BEGIN
{
	trace(copyinstr(0x30));
}

BEGIN
{
	exit(0);
}
