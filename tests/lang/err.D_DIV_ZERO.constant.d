/* A constant divisor of 0. */
BEGIN
{
	trace(pid / (2 - 2));
}
