/* flags: -q
 * Strings with a NUL behind each, as one. */
char list[8];

BEGIN
{
	list[0] = 'l'; list[1] = 's'; list[3] = '-'; list[4] = 'l';
	printf("[%s]\n", memstr(list, ' ', 6));
	printf("[%s] [%s]\n", memstr(list, '.', 4), memstr(list, '.', 1));
	exit(0);
}
