/* A name is missing. */
BEGIN
{
	system("ls %s");
}
