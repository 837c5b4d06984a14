/* An address is taken from where it lies, not from text. */
BEGIN
{
	trace(inet_ntoa("127.0.0.1"));
}
