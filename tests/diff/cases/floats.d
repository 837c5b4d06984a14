/* Floating-point numbers in variables of all kinds, and to and from integers. */
float f;
double d;
self double mine;
this float late;
double table[int];
struct s { char c; double d; float f[2]; } g;
BEGIN, diff:mod:func:a, diff:mod:func:b
{
	d = arg0;
	f = arg1;
	trace(d); trace(f);
	f = d;
	trace(f);
	d = f;
	trace(d); trace((int)d); trace((uint64_t)d); trace((unsigned char)f);
	d = (uint64_t)arg0;
	trace(d);
	self->mine = (int)arg2;
	this->late = self->mine;
	trace(self->mine); trace(this->late);
	table[arg3 & 3] = this->late;
	table[4] = 1.25f;
	trace(table[0]); trace(table[4]);
	g.d = arg0;
	g.f[arg1 & 1] = g.d;
	trace(g.f[0]); trace(g.f[1]); trace((_Bool)g.f[0]);
	this->p = &d;
	*this->p = -0.5;
	trace(d); trace((int)d);
	d = (float)arg4;
	trace((double)(float)0.1); trace(d);
	self->mine = 0;
}
