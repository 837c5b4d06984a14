/* How many frames a stack has is known when the program is compiled. */
BEGIN
{
	@[jstack(arg0)] = count();
}
