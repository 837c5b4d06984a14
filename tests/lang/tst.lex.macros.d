/* flags: -q */
/* args: 5 name '"a\tstring"' 'one\x2ftwo\+"\' */
/* Macro arguments as numbers, names and text. */
int name;

BEGIN
{
	name = 7;
	printf("%d %d\n", $1 + 1, $2);
	printf("[%s] [%s] [%s]\n", $$1, $$2, $$3);
	printf("%S %d\n", $3, strlen($3));
	printf("[%s]\n", $$4);
	printf("%d %d\n", $pid == pid, $uid == uid);
	exit(0);
}
