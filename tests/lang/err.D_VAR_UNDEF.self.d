/* No such thread-local variable. */
BEGIN
{
	trace(self->nosuch);
}
