/* Memory as memref() tells of it: an address and a length. */
/* flags: -q */
char word[8];

BEGIN
{
	word[0] = 'h'; word[1] = 'i';
	printm(8, memref(word, 2));
	printm(4, memref(curthread->comm, 6));
}
BEGIN { printm(4, (uintptr_t *)8); }
BEGIN { printm(4, memref((void *)16, 4)); }
BEGIN { exit(0); }
