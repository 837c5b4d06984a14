/* How much? */
BEGIN
{
	bcopy(curthread, alloca(8));
}
