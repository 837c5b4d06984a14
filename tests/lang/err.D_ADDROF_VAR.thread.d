/* What a thread has exists only while it is not zero, and so has no address. */
BEGIN
{
	self->x = 1;
	trace(&self->x);
}
