/* flags: -q */
/* while asks first, do afterwards. */
BEGIN
{
	steps = 0;
	n = 27;
	while (n != 1) {
		n = n & 1 ? 3 * n + 1 : n / 2;
		steps++;
	}
	printf("%d steps\n", steps);

	while (0)
		printf("never\n");
	do
		printf("once\n");
	while (0);

	n = 3;
	do {
		printf("%d\n", n);
		n--;
	} while (n);

	/* The body comes first, and so do the variables it makes. */
	do
		fresh++;
	while (fresh < 4);
	printf("%d\n", fresh);
	exit(0);
}
