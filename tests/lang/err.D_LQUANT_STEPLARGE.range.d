/* No level fits. */
BEGIN
{
	@ = lquantize(arg0, 2, 3, 4);
}
