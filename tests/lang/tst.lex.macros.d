/* flags: -q */
/* args: 5 name '"a string"' */
/* Macro arguments as numbers, names and text. */
int name;

BEGIN
{
	name = 7;
	printf("%d %d\n", $1 + 1, $2);
	printf("[%s] [%s] [%s]\n", $$1, $$2, $$3);
	printf("%s %d\n", $3, strlen($3));
	printf("%d %d\n", $pid == pid, $uid == uid);
	exit(0);
}
