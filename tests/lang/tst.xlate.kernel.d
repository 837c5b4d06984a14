/* From a struct of the kernel. */
#pragma D option quiet

typedef struct me { pid_t pid; string name; pid_t parent; } me_t;
translator me_t < struct task_struct *T > {
	pid = T->tgid;
	name = stringof(T->comm);
	parent = T->real_parent->tgid;
};

BEGIN
/xlate <me_t>(curthread).pid == pid/
{
	printf("%d %d\n", xlate <me_t>(curthread).name == execname,
	    xlate <me_t *>(curthread)->parent == ppid);
	exit(0);
}
