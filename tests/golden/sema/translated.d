/* Whole structs of translators, and arguments that come translated. */
struct time { long sec; long nsec; };
struct procinfo {
	int pr_pid;
	char pr_fname[16];
	struct time pr_start;
	int pr_absent;
};

translator struct time < long NS > {
	sec = NS / 1000;
};

translator struct procinfo < struct task_struct *T > {
	pr_pid = T->pid;
	pr_fname = T->comm;
	pr_start = xlate <struct time>((long)T->prio[0]);
};

struct procinfo saved;

proc:::create
/args[0]->pr_pid == 3/
{
	trace(args[0]->pr_fname);
	trace(args[0]->pr_start.sec);
	saved = *args[0];
	this->p = xlate <struct procinfo>(curthread);
}
