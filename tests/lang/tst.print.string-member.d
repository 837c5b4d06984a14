/* A string may be a member, too. */
/* flags: -q */
struct named { string name; int n; } s;
BEGIN
{
	s.name = "x";
	s.n = 2;
	print(s);
	exit(0);
}
