/* A whole struct task_struct: thousands of bytes. */
/* flags: -q */
BEGIN
{
	print(*curthread);
	exit(0);
}
