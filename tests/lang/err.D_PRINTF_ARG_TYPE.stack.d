/* A stack is printed with %k. */
BEGIN
{
	printf("%s", stack());
}
