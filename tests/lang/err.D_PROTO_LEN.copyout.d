/* How much? */
BEGIN
{
	copyout(curthread, 0);
}
