/* How many frames a stack has is known when the program is compiled. */
BEGIN
{
	@[stack(pid)] = count();
}
