/* No such member of a member. */
struct s { union { int a; } u; };
struct s x;

BEGIN
{
	trace(x.u.b);
}
