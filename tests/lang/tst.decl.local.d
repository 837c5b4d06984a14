/* flags: -q */
/* What a statement declares lives until its end and hides what is outside. */
int i;

static int
total(int i)
{
	int n = 0;
	string s = "x";

	for (int i = 0; i < 3; i++)
		n += i;
	for (; i > 0; i--)
		n += strlen(s);
	return n;
}

BEGIN
{
	i = 100;
	for (int i = 0; i < 2; i++) {
		for (int8_t i = 5; i < 6; i++)
			printf("%d ", i);
		printf("%d ", i);
	}
	printf("%d\n", i);
	printf("%d %d\n", total(4), i);
	exit(0);
}
