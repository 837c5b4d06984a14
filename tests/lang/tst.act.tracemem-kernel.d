/* Memory of the kernel, whose text is known: this command's name. */
/* flags: -q */
BEGIN
{
	tracemem(curthread->comm, 8);
	tracemem(&curthread->comm[1], 16, strlen(curthread->comm + 1));
	exit(0);
}
