/* flags: -q -x nspec=2 */
/* Each turn speculates for itself; what is not committed is gone. */
BEGIN
{
	self->id = speculation();
}

BEGIN
{
	for (i = 0; i < 4; i++) {
		speculate(self->id);
		printf("turn %d\n", i);
		if (i == 2)
			break;
	}
	printf("not speculated\n");
}

BEGIN
{
	for (i = 0; i < 2; i++)
		if (i == 1)
			commit(self->id);
}

BEGIN
{
	self->other = speculation();
	for (i = 0; i < 3; i++) {
		speculate(self->other);
		printf("never %d\n", i);
	}
	exit(0);
}
