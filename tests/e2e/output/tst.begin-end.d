BEGIN
{
	printf("first");
	exit(0);
}

END
{
	printf("last");
}
