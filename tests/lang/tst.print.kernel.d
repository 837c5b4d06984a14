/* Types of the kernel, by value and through a pointer. */
/* flags: -q */
BEGIN
{
	print(curthread);
	print(curthread->comm);
	print(curthread->tasks);
	print(((struct task_struct *)curthread)->__state);
	exit(0);
}
