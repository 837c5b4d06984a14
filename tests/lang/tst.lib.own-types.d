/* A program's own types and names are not what a library means by them. */
#pragma D option quiet

struct file { char c; };
struct task_struct { char c[2]; };
int __at_cwd;

BEGIN
{
	__at_cwd = 0;
	printf("%d %d\n", sizeof (struct file), sizeof (struct task_struct));
	printf("%d %d\n", fds[0].fi_name != "<none>", fds[-1].fi_name == "<none>");
	printf("%d\n", curpsinfo->pr_pid == pid);
	exit(0);
}
