/* flags: -q
 * args: 7
 * Macro variables of the command are those of its process. */
BEGIN
{
	printf("%d %d %d %d\n", $pid == pid, $ppid == ppid, $uid == uid,
	    $gid == gid);
	printf("%d %d %d\n", $euid >= 0 && $egid >= 0, $pgid > 0, $sid > 0);
	printf("%s %s %d %s\n", basename($$0), $$1, $1 + 1, $$1);
	printf("%d\n", strlen($$pid) > 0 && strtoll($$pid) == pid);
	exit(0);
}
