/* flags: -q
 * status: 1
 * The kinds of faults by name. */
BEGIN
{
	printf("%d UNKNOWN\n", DTRACEFLT_UNKNOWN);
	printf("%d BADADDR\n", DTRACEFLT_BADADDR);
	printf("%d BADALIGN\n", DTRACEFLT_BADALIGN);
	printf("%d ILLOP\n", DTRACEFLT_ILLOP);
	printf("%d DIVZERO\n", DTRACEFLT_DIVZERO);
	printf("%d NOSCRATCH\n", DTRACEFLT_NOSCRATCH);
	printf("%d KPRIV\n", DTRACEFLT_KPRIV);
	printf("%d UPRIV\n", DTRACEFLT_UPRIV);
	printf("%d TUPOFLOW\n", DTRACEFLT_TUPOFLOW);
	printf("%d BADSTACK\n", DTRACEFLT_BADSTACK);
	printf("%d BADSIZE\n", DTRACEFLT_BADSIZE);
	printf("%d BADINDEX\n", DTRACEFLT_BADINDEX);
	printf("%d LOOP\n", DTRACEFLT_LOOP);
	printf("%d LOOPREC\n", DTRACEFLT_LOOPREC);
	printf("%d LIBRARY\n", DTRACEFLT_LIBRARY);
}

BEGIN
{
	trace(1 / (int)(arg0 * 0));
}

ERROR
/arg4 == DTRACEFLT_DIVZERO/
{
	printf("divided\n");
	exit(1);
}
