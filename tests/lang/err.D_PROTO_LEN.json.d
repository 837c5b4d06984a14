/* What is it that is wanted of the document? */
BEGIN
{
	trace(json("{\"a\":1}"));
}
