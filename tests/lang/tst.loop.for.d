/* flags: -q */
/* The forms of for, and where its variable lives. */
BEGIN
{
	for (i = 0; i < 3; i++)
		printf("%d ", i);
	printf("then %d\n", i);

	for (this->i = 10; this->i > 7; this->i--) {
		printf("%d ", this->i);
	}
	printf("then %d\n", this->i);

	for (int k = 1; k <= 100; k *= 3)
		printf("%d ", k);
	printf("\n");

	for (string s = ""; strlen(s) < 4; s = strjoin(s, "*"))
		printf("[%s]", s);
	printf("\n");

	i = 5;
	for (; i; )
		i--;
	printf("%d\n", i);

	for (i = 0; i < 0; i++)
		printf("never\n");
	exit(0);
}
