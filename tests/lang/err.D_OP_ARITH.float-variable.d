/* No floating-point arithmetic, with variables either. */
double d;
BEGIN
{
	d = 1.5;
	d += 1;
}
