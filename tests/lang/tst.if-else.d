/* flags: -q */
int n;

BEGIN
{
	n = 3;
	if (n == 3) {
		printf("three\n");
	} else {
		printf("not three\n");
	}
	if (n > 5)
		printf("large\n");
	else if (n > 2) {
		printf("middling\n");
		if (n & 1)
			printf("and odd\n");
	} else
		printf("small\n");
	printf("after\n");
	exit(0);
}
