/* Every kind of value, in the columns of its size. */
enum colour { RED, GREEN = 7 };
struct three { char c[3]; };
struct three t;
char text[6];

BEGIN
{
	trace((char)-2);
	trace((unsigned char)254);
	trace((short)-3);
	trace((unsigned short)65533);
	trace(-4);
	trace((unsigned char)-1);
	trace((unsigned short)-1);
	trace(4000000000U);
	trace(-5LL);
	trace(GREEN);
	trace((enum colour)RED);
	trace((void *)0x10);
	trace("");
	trace(strjoin("a", "b"));
}
BEGIN
{
	text[0] = 't'; text[1] = 'e';
	trace(text);
	trace(execname);
	trace(probename);
	t.c[0] = 'x';
	trace(t);
	exit(-1 + 1);
}
