/* flags: -q */
/* Functions: parameters by value, results, any order, no result. */
int total;

static int
square(int n)
{
	return n * n;
}

BEGIN
{
	printf("%d %d\n", square(7), sum3(1, 2, 3));
	total = 0;
	add(5);
	add(0);
	printf("%d\n", total);
	x = 3;
	printf("%d %d\n", change(x), x);
	printf("[%s] [%s]\n", greet("world"), greet(""));
	exit(0);
}

static int64_t
sum3(int64_t a, int64_t b, int64_t c)
{
	return square(a) + b + c;
}

void
add(int by)
{
	if (by == 0)
		return;
	total += by;
}

int
change(int v)
{
	v += 10;
	return v;
}

string
greet(string who)
{
	if (who == "")
		who = "nobody";
	return strjoin("hello, ", who);
}
