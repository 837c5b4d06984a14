/* 8 is no octal digit. */
BEGIN
{
	trace(078);
}
