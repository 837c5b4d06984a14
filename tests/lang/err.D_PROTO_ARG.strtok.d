/* The delimiters are a string, not a byte. */
BEGIN
{
	trace(strtok("a,b", ','));
}
