/* flags: -q */
/* In predicates, keys, other functions, inlines and loops. */
static int
is_even(int n)
{
	return n % 2 == 0;
}

static string
kind(int n)
{
	for (int i = 2; i * i <= n; i++)
		if (n % i == 0)
			return is_even(n) ? "even" : "composite";
	return n < 2 ? "unit" : "prime";
}

int c;
inline int EVENS[int n] = is_even(n) + is_even(n + 2);

BEGIN
/is_even(3)/
{
	printf("never\n");
}

BEGIN
/is_even(4) && EVENS[2] == 2/
{
	for (int n = 1; n <= 12; n++)
		@[kind(n)] = sum(n);
	while (!is_even(c))
		c++;
	exit(0);
}
