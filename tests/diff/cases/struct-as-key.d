/* A struct as key of an array is as many numbers as its bytes take. */
struct odd { char c[13]; };
struct odd o;
int seen[struct odd, int];
self string names[struct datum];

BEGIN
{
	o.c[12] = 1;
	seen[o, 1] = 3;
	o.c[12] = 2;
	seen[o, 1] += seen[o, 1] + 4;
	trace(seen[o, 1]);
	o.c[12] = 1;
	trace(seen[o, 1]++);
	trace(seen[o, 2]);
}

diff:mod:func:a
{
	self->names[*args[3]] = "first";
	self->names[args[3][1]] = "second";
	trace(self->names[*args[3]]);
	trace(self->names[*args[3]->next]);
	trace(self->names[args[3][2]]);
}
