/* A char is a character; a character constant is an int, as in C. */
/* flags: -q */
BEGIN
{
	print((char)'a');
	print((char)'\n');
	print((char)0);
	print((char)4);
	print((char)'\'');
	print('a');
	exit(0);
}
