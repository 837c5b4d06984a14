/* flags: -q */
/* The predicates of published scripts: on what the clause itself counts, and
 * on the state that another clause keeps. */
BEGIN { i = 0; }
tick-1ms
/n < 2/
{
	n++;
}
tick-1ms
/n == 2 && !done[n]/
{
	printf("%d\n", n);
	done[n] = 1;
}
tick-1ms
/done[2] && calls++ > 3/
{
	exit(0);
}
