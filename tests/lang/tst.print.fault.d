/* What cannot be read is an error, and nothing of the clause is printed. */
/* flags: -q */
BEGIN
{
	print(1);
	print(*(struct list_head *)8);
}
ERROR
{
	print(arg4);
	print((void *)arg5);
	exit(0);
}
