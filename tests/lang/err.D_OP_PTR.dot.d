/* -> is for pointers. */
struct s {
	int a;
	unsigned int low:3;
	string name;
};
struct s *p;
BEGIN
{
	trace(p.a);
}
