/* As JSON a value has the shape of its type. */
/* flags: -q -x oformat=jsonl */
struct point { int x; char name[4]; } p;

BEGIN
{
	p.x = -1;
	p.name[0] = 'a';
	print(p);
	print(p.name[0]);
	exit(0);
}
