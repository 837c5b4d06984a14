/* flags: -q
 * A text taken apart, part by part; other delimiters may be given each
 * time.  NULL goes on, and is the answer when there is no more. */
BEGIN
{
	printf("[%s]\n", strtok("one,two;;three", ","));
	printf("[%s]\n", strtok(NULL, ";"));
	printf("[%s]\n", strtok(NULL, ",;"));
	printf("%d\n", strtok(NULL, ",;") == NULL);
	exit(0);
}
