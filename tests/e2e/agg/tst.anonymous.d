/* @ and @_ are one. */
/* flags: -q */
BEGIN
{
	@ = count();
	@_ = count();
	exit(0);
}
