/* flags: -q */
/* break and continue mean the innermost loop. */
BEGIN
{
	for (i = 0; ; i++) {
		if (i == 2)
			continue;
		if (i == 5)
			break;
		printf("%d:", i);
		for (j = 0; j < 10; j++) {
			if (j & 1)
				continue;
			if (j > i)
				break;
			printf(" %d", j);
		}
		printf("\n");
	}
	printf("%d\n", i);

	i = 0;
	do {
		if (i < 3)
			continue;
		break;
	} while (i++ < 10);
	printf("%d\n", i);
	exit(0);
}
