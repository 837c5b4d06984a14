/* A variable cannot keep a floating-point value. */
BEGIN
{
	x = 1.5;
}
