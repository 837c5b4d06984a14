/* There are no binary constants. */
BEGIN
{
	trace(0b101);
}
