/* flags: -q
 * A fault ends its clause: what was recorded is gone, what was stored stays,
 * other clauses run. */
int zero, n;

BEGIN
{
	printf("not shown\n");
	n = 1;
	@["counted"] = count();
	n = 10 / zero;
	n = 2;
}

BEGIN
/n / zero/
{
	printf("nor this\n");
}

BEGIN
{
	if (n) {
		n++;
		trace(*(int *)16);
	} else {
		n = 20;
	}
	n = 30;
}

ERROR
{
	printf("action %d, fault %d, value 0x%x\n", arg2, arg4, arg5);
}

BEGIN
{
	printf("%d\n", n);
	exit(0);
}
