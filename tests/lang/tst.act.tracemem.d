/* Memory as bytes: as many as the constant says, or fewer. */
/* flags: -q */
char word[24];

BEGIN
{
	word[0] = 'D'; word[1] = 'a'; word[2] = 'r'; word[3] = 'w';
	word[4] = 'i'; word[5] = 'n'; word[6] = '\n'; word[20] = '\177';
	tracemem(word, 6);
	tracemem(word, 21);
	tracemem((uintptr_t)word, 16, 2);	/* at most 16, here 2 */
	tracemem(word, 1, 2);			/* more than there is room for */
	tracemem(word, 1, 0);
	tracemem(word, 1, -1);
	exit(0);
}
