/* flags: -q */
/* Arguments and results are converted to what the function says. */
static int8_t
narrow(int64_t v)
{
	return v;
}

static int64_t
wide(int8_t v)
{
	return v;
}

static uint64_t
nothing(void)
{
}

static string
first(string s)
{
	return substr(s, 0, 1);
}

BEGIN
{
	printf("%d %d\n", narrow(255), narrow(-129));
	printf("%d %d\n", wide(255), wide(256));
	printf("%u\n", nothing());
	printf("%s\n", first(execname));
	exit(0);
}
