/* A bit-field has no offset. */
struct s {
	int a;
	unsigned int low:3;
	string name;
};
BEGIN
{
	trace(offsetof(struct s, low));
}
