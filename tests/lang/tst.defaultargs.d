/* flags: -q -x defaultargs */
BEGIN
{
	printf("%d [%s]\n", $1, $$2);
	printf("%d %d %d %d %d\n", $$2 == NULL, NULL == $$2, $$2 != NULL, $$2 == "",
	    $$0 == NULL);
	printf("%s\n", $$2 == NULL || $$2 == execname ? "all" : "one");
	exit(0);
}
