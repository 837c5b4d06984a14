/* A struct cannot be passed. */
struct s { int a; };
static int f(struct s v)
{
	return v.a;
}
BEGIN
{
}
