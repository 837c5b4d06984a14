/* Not a struct, behind the pointer either. */
BEGIN
{
	trace(xlate <int *>(1));
}
