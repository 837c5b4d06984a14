/* flags: -q */
/* Escapes in strings; a NUL ends one. */
BEGIN
{
	printf("[%s]\n", "tab\there");
	printf("[%s] [%s]\n", "quote \" and \\", "\x41\102C");
	printf("%d %d\n", strlen("abc\0def"), strlen(""));
	printf("%s\n", "/* no comment */ 'x' #");
	exit(0);
}
