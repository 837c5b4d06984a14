/* Types of libraries, where declarations, casts and sizeof name them. */
#pragma D option quiet

psinfo_t *p;
struct lwpsinfo lwp;
conninfo_t conn;
self csinfo_t *cs;
inline int SIZE = sizeof (timestruc_t);
typedef cpuinfo_t my_cpu_t;
my_cpu_t c;

BEGIN
{
	p = (psinfo_t *)NULL;
	lwp = xlate <lwpsinfo_t>(curthread);
	conn.ci_local = "here";
	self->cs = (csinfo_t *)0;
	c = *curcpu;
	printf("%d %d\n", p == NULL, lwp.pr_lwpid == tid);
	printf("%s %d\n", conn.ci_local, self->cs == NULL);
	printf("%d %d\n", SIZE, c.cpu_id == cpu);
	printf("%d\n", offsetof(struct timestruc, tv_nsec));
	exit(0);
}
