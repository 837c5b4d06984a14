/* A bit-field has no address. */
struct s {
	int a;
	unsigned int low:3;
	string name;
};
BEGIN
{
	trace(&((struct s *)arg0)->low);
}
