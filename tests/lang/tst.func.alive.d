/* flags: -q */
/* What was worked out before a call is still there behind it: numbers, addresses of
 * strings, the name of the process. */
static int64_t
twice(int64_t x)
{
	return x * 2;
}

static string
dashed(string s)
{
	return strjoin(s, "-");
}

BEGIN
{
	i = (int64_t)pid;
	s = strjoin("a", "b");
	printf("%d\n", i * 3 + twice(i) == i * 5);
	printf("%d\n", (i ^ 77) - twice(i * 5) * (i + 1) ==
	    (i ^ 77) - i * 10 * (i + 1));
	printf("%d\n", (i * 3 > twice(i) ? i + twice(i) : 0) == i * 3);
	printf("%d\n", i * 7 - twice(twice(i) - i * 5) == i * 13);
	printf("%s\n", strjoin(strjoin(s, "c"), dashed(strjoin(s, "d"))));
	printf("%d\n", strjoin(execname, dashed(s)) == strjoin(execname, "ab-"));
	exit(0);
}
