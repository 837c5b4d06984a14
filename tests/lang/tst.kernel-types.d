/* Kernel structures, read through pointers. */
/* flags: -q */
BEGIN
{
	this->t = (struct task_struct *)curthread;
	printf("%d %d %s\n", this->t->tgid == pid, this->t->pid == tid,
	    stringof(this->t->comm));
	printf("%d\n", this->t->real_parent->tgid == ppid);
	exit(0);
}
