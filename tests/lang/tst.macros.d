/* flags: -q
 * args: 17 word "two words" 0x10 */
BEGIN
{
	printf("%d %s [%s] %d %d\n", $1, $$2, $$3, $4, $1 + 1);
	printf("%d %s\n", $pid == pid, $$0);
	exit(0);
}
