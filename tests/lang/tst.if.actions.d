/* flags: -q */
/* status: 3 */
/* Every kind of statement in arms, with braces and without. */
BEGIN
{
	x = 4;
	if (x > 3)
		@big = sum(x);
	else
		@small = sum(x);
	if (x & 1)
		printf("odd\n");
	else if (x > 100)
		printf("huge\n");
	else if (x > 2) {
		printf("some\n");
		if (x == 4) printf("four\n"); else printf("not four\n");
	} else
		;
	if (x) { } else printf("never\n");
	if (!x)
		exit(1);
	else
		exit(3);
}

END
{
	printa("big %@d\n", @big);
	if (x)
		clear(@big);
	printa("big %@d\n", @big);
}
