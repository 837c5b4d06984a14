/* Values of any variable: global, clause-local, thread-local, by key. */
/* flags: -q */
struct point { int x, y; };
struct point p;
this struct point p;
self struct point p;
struct point a[string];
BEGIN
{
	p.x = 1;
	print(p.x);
	this->p = p;
	print(this->p);
	self->p = p;
	print(self->p);
	a["k"] = p;
	print(a["k"]);
	print(a["other"].x);
	exit(0);
}
