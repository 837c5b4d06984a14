/* flags: -q
 * A storage class alone declares an int. */
self x;
this y, z;
extern e9;
self t[string];

BEGIN
{
	self->x = 4294967297;
	this->y = 4294967298;
	this->z = -3;
	self->t["k"] = 4294967300;
	printf("%d %d %d %d %d\n", self->x, this->y, this->z, self->t["k"],
	    sizeof (self->x));
	exit(0);
}
