/* Nothing is converted to or from floating point. */
BEGIN
{
	trace((int)1.5);
}
