/* . is for structs. */
struct s {
	int a;
	unsigned int low:3;
	string name;
};
struct s v;
BEGIN
{
	trace(v->a);
}
