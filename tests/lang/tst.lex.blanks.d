/* flags: -q */
/* A clause on one line, a clause on many; empty statements. */
BEGIN{x=1;y=2;;;printf("%d\n",x+y)}

dtrace:::BEGIN
/
	x
	==
	1
/
{
	;
	printf
	(
		"%d\n"
		,
		x
		-- > 0
	)
	;
	exit(0)
}
