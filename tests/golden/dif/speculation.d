BEGIN
{
	speculate(arg0);
	trace(1);
}

BEGIN
{
	trace(1);
	if (arg0) {
		speculate(2);
	} else {
		speculate(3);
		printf("x");
		discard(4);
	}
	commit(5);
}
