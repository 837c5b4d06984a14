/* flags: -q */
BEGIN
{
	printf("[%s] [%8s] [%-8s] [%.2s] [%6.2s]\n", "abcd", "abcd", "abcd",
	    "abcd", "abcd");
	printf("[%.0s]\n", "the whole of it");
	printf("[%c%c%c] [%3c] [%-3c]\n", 'a', 66, 0x43, 'd', 'e');
	printf("[%S]\n", "tab\there");
	printf("[%C%C]\n", 'x', '\n');
	printf("100%%\n");
	printf("[%s]\n", "");
	exit(0);
}
