/* flags: -q */
/* No clause can fault, so those of ERROR, which alone aggregate, never run. */
ERROR
{
	@rows = count();
	@keys[pid] = max(1);
	@long[execname, stack()] = quantize(1);
}

BEGIN
{
	printf("begun\n");
	exit(0);
}
