/* Types of the kernel, by their own names. */
#pragma D option quiet

struct task_struct *saved;

BEGIN
{
	saved = curthread;
	printf("%d %d\n", saved->tgid == pid, saved->pid == tid);
	printf("%d %d %d\n", stringof(saved->comm) == execname,
	    saved->real_parent->tgid == ppid,
	    saved->cred->uid.val == uid);
	printf("%d\n", sizeof (struct task_struct) >
	    offsetof(struct task_struct, comm));
	printf("%d\n", sizeof (struct list_head *));
	exit(0);
}
