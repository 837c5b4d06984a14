/* flags: -q */
BEGIN
{
	printf("%d %d %d %d\n", "a" < "b", "a" == "a", "abc" != "abd", "b" <= "a");
	printf("%d %d\n", strlen("hello"), strlen(""));
	printf("[%s] [%s]\n", strjoin("foo", "bar"), strjoin("", ""));
	printf("[%s] [%s] [%s]\n", substr("foobarbazbop", 3, -4),
	    substr("foobarbazbop", -10), substr("foobarbazbop", 300));
	printf("%d %d %d\n", index("foobar", "bar"), index("foobar", "x"),
	    rindex("foofoo", "foo"));
	printf("%d %d %d %d\n", rindex("foofoo", "foo", 2),
	    rindex("foo", ""), rindex("foo", "", -1), rindex("foo", "x", 3));
	printf("[%s] [%s] [%s]\n", strchr("hello", 'l'), strrchr("hello", 'l'),
	    strstr("hello world", "o w"));
	printf("[%s] [%s]\n", basename("/foo/bar///baz/"),
	    dirname("/foo/bar///baz/"));
	printf("%s %s %s\n", lltostr(-42), lltostr(255, 16), lltostr(8, 8));
	printf("%d %d\n", strtoll("12j"), strtoll("ff", 16));
	exit(0);
}
