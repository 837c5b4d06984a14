/* Nothing can be cast to a struct. */
struct s {
	int a;
	unsigned int low:3;
	string name;
};
BEGIN
{
	trace((struct s)1);
}
