/* Enumerators of a kernel's enum mean something beside one of its values. */
#pragma D option quiet

enum pid_type group;
int PIDTYPE_MAX;

BEGIN
{
	printf("%d %d\n", group == PIDTYPE_PID, group != PIDTYPE_TGID);
	printf("%d %d\n", PIDTYPE_PGID == group, group < PIDTYPE_SID);
	printf("%d\n", sizeof (enum pid_type) == sizeof (int));
	exit(0);
}
