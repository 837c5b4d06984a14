/* flags: -q */
BEGIN
{
	printf("%Y\n", (uint64_t)0);
	printf("%Y\n", 1262304000000000000);
	printf("%Y\n", 951782400999999999);
	exit(0);
}
