/* Assignments and aggregations print no row; exit() does. */
BEGIN
{
	x = 1;
	self->y = 2;
	this->z = 3;
	@ = count();
}

BEGIN
{
	exit(0);
}
