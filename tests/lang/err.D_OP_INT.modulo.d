/* % takes integers. */
BEGIN
{
	trace(1 % "a");
}
