/* exit() in a branch and in a loop: as anywhere. */
/* flags: -q
 * status: 2 */
BEGIN
{
	for (int i = 0; i < 4; i++)
		if (i == 2)
			exit(i);
	printf("behind\n");
}
BEGIN { printf("never\n"); }
