/* An action is a statement. */
BEGIN
{
	x = trace(1);
}
