/* Enumerators of the kernel's are constants, where nothing else is called so. */
/* flags: -q */
inline int group = PIDTYPE_PGID;
enum mine { PIDTYPE_SID = 77 };

BEGIN
{
	printf("%d %d %d\n", PIDTYPE_PGID, group, PIDTYPE_PGID | 16);
	this->t = PIDTYPE_PGID;
	printf("%d %d\n", this->t == PIDTYPE_PGID, sizeof (PIDTYPE_PGID));
	print((enum pid_type)PIDTYPE_PGID);
	@[PIDTYPE_PGID] = sum(PIDTYPE_PGID);
	a[PIDTYPE_PGID] = 5;
	printf("%d\n", a[2]);

	/* The program's own, and its variables, come first. */
	printf("%d\n", PIDTYPE_SID);
	PIDTYPE_MAX = 12;
	printf("%d\n", PIDTYPE_MAX);
	exit(0);
}
