/* Every turn records, and all of it is one row. */
BEGIN
{
	trace("begin");
	for (i = 0; i < 3; i++) {
		trace(i);
		if (i == 1)
			printf("[one]");
	}
	trace("end");
}

BEGIN
{
	for (i = 0; i < 0; i++)
		trace("no row for this");
}

BEGIN
{
	for (i = 0; i < 0; i++)
		trace("nor this");
	printf("but a row");
	exit(0);
}
