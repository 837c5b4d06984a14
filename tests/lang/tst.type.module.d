/* A type may be asked of the kernel by module. */
#pragma D option quiet

struct list_head { char mine; };

BEGIN
{
	printf("%d %d %d\n", sizeof (struct list_head),
	    ((struct vmlinux`task_struct *)curthread)->tgid == pid,
	    sizeof (struct vmlinux`list_head));
	exit(0);
}
