/* Arrays and structs: text that is text, bytes else. */
/* flags: -q */
struct pair { int a; char b[4]; };
struct pair p;
char name[8];

BEGIN
{
	name[0] = 'o'; name[1] = 'k';
	trace(name);
	p.a = 0x41; p.b[0] = 'x';
	trace(p.b);
	trace(p);
	p.a = 0x01020304;
	trace(p);
	exit(0);
}
