/* flags: -q
 * In a loop each turn speculates, and what stands around it does not. */
int i;
BEGIN { s = speculation(); }
BEGIN {
	for (i = 0; i < 3; i++) {
		speculate(s);
		printf("spec %d\n", i);
		if (i == 1)
			continue;
		printf("more %d\n", i);
	}
	printf("direct\n");
	for (i = 0; i < 3; i++) {
		if (i == 2)
			commit(s);
		else
			printf("loop %d\n", i);
	}
}
BEGIN { exit(0); }
