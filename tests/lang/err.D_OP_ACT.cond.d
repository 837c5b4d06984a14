/* An action is a statement. */
BEGIN
{
	pid ? trace(1) : trace(2);
}
