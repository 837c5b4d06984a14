/* What is assigned further on is wrong, so the name stays unknown. */
BEGIN
/x/
{
}
END
{
	x = nosuch;
}
