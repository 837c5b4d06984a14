/* %f takes a floating-point number, and an integer is not made one. */
BEGIN
{
	printf("%f", 1);
}
