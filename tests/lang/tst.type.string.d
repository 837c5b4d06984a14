/* string is a type of its own: copied by value, compared by its text. */
#pragma D option quiet
#pragma D option strsize=16

string s;
string t;
char c[8];
struct named { int n; string name; };
struct named x;

BEGIN
{
	s = "hello";
	t = s;
	s = "abc";
	printf("%d %s\n", strlen(t), s);
	c[0] = 'a';
	c[1] = 'b';
	printf("%s\n", stringof(c));
	printf("%d %d %d %d\n", stringof(c) == "ab", s == t, s < t,
	    "a" < "aa");
	x.name = "chars";
	printf("%s\n", x.name);
	exit(0);
}
