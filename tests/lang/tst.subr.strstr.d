/* flags: -q
 * From where the second begins in the first. */
BEGIN
{
	printf("[%s] [%s]\n", strstr("hello world", "o w"),
	    strstr("hello", ""));
	printf("%d\n", strstr("hello", "hex") == NULL);
	exit(0);
}
