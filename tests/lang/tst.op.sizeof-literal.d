/* flags: -q
 * A string constant has the size of its characters and a NUL, NULL that of an
 * int; a string variable has strsize. */
inline string TEXT = "abc";
BEGIN
{
	s = "hi";
	printf("%d %d %d\n", sizeof ("hi"), sizeof (""), sizeof ("a\0b"));
	printf("%d %d %d %d\n", sizeof (NULL), sizeof NULL, sizeof ((void *)0), sizeof (s));
	printf("%d %d\n", sizeof (TEXT), sizeof (execname));
	exit(0);
}
