/* It has no value. */
BEGIN
{
	trace(bcopy(curthread, alloca(8), 8));
}
