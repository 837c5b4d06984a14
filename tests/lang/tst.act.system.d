/* What a command prints stands where its action stands, row by row. */
/* flags: -qw */
BEGIN
{
	printf("first\n");
	system("echo second %d %s", 2, "times");
	printf("third\n");
	system("exit 3");
	system("echo \"%s\" | tr a-z A-Z", strjoin("four", "th"));
	printf("fifth\n");
	exit(0);
}
END { system("echo last"); }
