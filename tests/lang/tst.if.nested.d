/* flags: -q */
/* An else belongs to the nearest if. */
BEGIN
{
	for (a = 0; a < 2; a++)
		for (b = 0; b < 2; b++)
			if (a)
				if (b)
					printf("a b\n");
				else
					printf("a not b\n");
			else if (b)
				printf("only b\n");
			else
				printf("none\n");
	exit(0);
}
