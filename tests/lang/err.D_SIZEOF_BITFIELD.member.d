/* A bit-field has no size. */
struct s {
	int a;
	unsigned int low:3;
	string name;
};
BEGIN
{
	trace(sizeof (((struct s *)arg0)->low));
}
