/* No such member of a kernel's struct. */
BEGIN
{
	trace(curthread->no_such_member);
}
