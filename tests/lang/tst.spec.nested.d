/* flags: -q
 * speculate() holds for the rest of its list and the ifs in it. */
#pragma D option nspec=2
BEGIN { a = speculation(); b = speculation(); }
BEGIN
{
	speculate(a);
	if (a) {
		printf("a in an arm\n");
		if (b) {
			speculate(b);
			printf("b in an arm\n");
		}
		printf("a again\n");
	}
	printf("a at the end\n");
}
BEGIN { printf("b:\n"); }
BEGIN { commit(b); }
BEGIN { printf("a:\n"); }
BEGIN { commit(a); }
BEGIN { exit(0); }
