/* No floating-point arithmetic. */
BEGIN
{
	trace(1.0 + 2.0);
}
