/* flags: -q
 * What is taken apart is a copy; a variable that is NULL goes on in it. */
string text, more;

BEGIN
{
	text = "a b c";
	printf("%s", strtok(text, " "));
	text = "x y z";
	printf(" %s", strtok(NULL, " "));
	printf(" %s\n", strtok(text, " "));
	exit(0);
}
