/* What a library does: types, translators, inlines. */
#pragma D option strsize=64
typedef struct procinfo {
	int pr_pid;
	char pr_fname[16];
	unsigned int pr_bits:4;
} procinfo_t;

translator procinfo_t < struct task_struct *T > {
	pr_pid = T->pid;
	pr_fname = T->comm;
};

inline procinfo_t *curproc = xlate <procinfo_t *>(curthread);
inline int prio[int i] = curthread->prio[i];
inline int DEBUG = 0;
enum level { LOW, HIGH = 5 };
userland struct procinfo *up;

BEGIN
/DEBUG || curproc->pr_pid == 3/
{
	trace(curproc->pr_fname);
	trace(prio[2] + HIGH);
	trace(xlate <procinfo_t>(curthread).pr_pid);
	trace(up->pr_bits);
}
