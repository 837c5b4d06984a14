/* flags: -q
 * What is not there, or no JSON, or no selector, is NULL. */
BEGIN
{
	printf("%d\n", json("{\"a\":1}", "b") == NULL);
	printf("%d\n", json("{\"a\":1}", "a.b") == NULL);
	printf("%d\n", json("[1, 2]", "[2]") == NULL);
	printf("%d\n", json("[0x10]", "[0]") == NULL);
	printf("%d\n", json("[\"\\u12g4\"]", "[0]") == NULL);
	printf("%d\n", json("[1, 2", "[1]") == NULL);
	printf("%d\n", json("[1,, 2]", "[2]") == NULL);
	printf("%d\n", json("{\"a\":1}", "a..b") == NULL);
	printf("%d\n", json("7", "a") == NULL);
	exit(0);
}
