/* A constant divisor of 0. */
BEGIN
{
	x = 5;
	x %= 0;
}
