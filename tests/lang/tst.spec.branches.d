/* flags: -q
 * In an if only what stands in its arm is speculated; what stands around it
 * goes where it would go without. */
BEGIN { s = speculation(); }
BEGIN
{
	printf("top\n");
	if (s) {
		speculate(s);
		printf("speculated\n");
	} else {
		printf("not run\n");
	}
	printf("bottom\n");
}
BEGIN
{
	if (!s) {
		printf("not run\n");
	} else {
		printf("shown\n");
	}
	if (s)
		commit(s);
	printf("behind\n");
	exit(0);
}
