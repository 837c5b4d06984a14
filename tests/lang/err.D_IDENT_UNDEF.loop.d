/* A variable of a loop ends with it. */
BEGIN
{
	for (int i = 0; i < 3; i++)
		;
	trace(i);
}
