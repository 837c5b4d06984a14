/* Which option? */
BEGIN
{
	setopt();
}
