/* An integer is no string. */
BEGIN
{
	trace((string)arg0);
}
