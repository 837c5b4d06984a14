/* flags: -q
 * What finds nothing gives NULL, which equals NULL and no string; it prints as an
 * empty string, and is no fault. */
BEGIN
{
	printf("%d %d %d %d\n", strstr("abc", "x") == NULL,
	    strchr("abc", 'x') == NULL, strrchr("abc", 'x') == NULL,
	    json("{}", "a") == NULL);
	printf("%d %d %d %d\n", strstr("abc", "x") != NULL,
	    strchr("abc", 'b') == NULL, strrchr("abc", 'c') != NULL,
	    json("{\"a\":1}", "a") != NULL);
	printf("[%s] [%5s]\n", strstr("abc", "x"), strchr("abc", 'x'));
	printf("%d %d %d %d\n", strstr("abc", "x") == "",
	    "" == strstr("abc", "x"), strstr("abc", "x") != "",
	    "abc" == strchr("abc", 'x'));
	printf("%d %d %d\n", strstr("abc", "x") == strchr("abc", 'x'),
	    strstr("abc", "x") < "", strstr("abc", "x") >= "");
	printf("%d %d %d\n", (string)NULL == NULL, (string)NULL == "",
	    execname == strstr("abc", "x"));
}

BEGIN
{
	printf("[%s]", strtok("a b", " "));
	printf("[%s]", strtok(NULL, " "));
	this->more = strtok(NULL, " ");
	printf("[%s] %d %d\n", this->more, this->more == NULL,
	    strtok(NULL, " ") == NULL);
	exit(0);
}
