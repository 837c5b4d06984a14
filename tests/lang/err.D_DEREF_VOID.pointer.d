/* Nothing lies at a void *. */
BEGIN
{
	trace(*(void *)arg0);
}
