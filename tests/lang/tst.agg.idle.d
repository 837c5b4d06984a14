#pragma D option quiet

/* What a constant never chooses may fill and print an aggregation as it likes; one that
 * nothing else fills is there, and empty. */
inline int OPT_pairs = 0;
inline int OPT_idle = 0;

BEGIN
{
	OPT_pairs ? @n[execname, pid] = count() : 1;
	! OPT_pairs ? @n[pid % 1] = sum(3) : 1;
	OPT_idle && OPT_pairs ? @idle[pid] = quantize(1) : 1;
	if (OPT_idle)
		@n = max(1);
	else
		@n[0] = sum(4);
}

END
{
	OPT_pairs ? printa("%s %d %@d\n", @n) : 1;
	! OPT_pairs ? printa("%d %@d\n", @n) : 1;
	printa("%d %@d\n", @idle);
	trunc(@idle);
}

BEGIN { exit(0); }
