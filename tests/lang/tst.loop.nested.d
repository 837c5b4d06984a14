/* flags: -q */
/* Loops in branches in loops, without braces. */
BEGIN
{
	tests = 0;
	for (i = 2; i < 30; i++) {
		prime = 1;
		for (j = 2; j * j <= i; j++)
			if (i % j == 0) {
				prime = 0;
				break;
			} else
				tests++;
		if (prime)
			printf("%d ", i);
		else if (i == 15)
			for (j = 0; j < 2; j++)
				printf("<%d> ", j);
	}
	printf("\n%d\n", tests);
	exit(0);
}
