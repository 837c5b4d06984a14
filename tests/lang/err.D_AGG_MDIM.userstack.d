/* A stack of the kernel and one of a process are different things. */
BEGIN
{
	@[stack(2)] = count();
	@[ustack(2)] = count();
}
