/* No such clause-local variable. */
BEGIN
{
	trace(this->nosuch);
}
