/* A string stands in quotes, with what C would escape. */
/* flags: -q */
BEGIN
{
	print("hello");
	print(strjoin("a\tb", "\"c\\"));
	print("");
	print(probename);
	this->s = "clause";
	print(this->s);
	exit(0);
}
