/* flags: -q */
/* Three scopes keep the same name apart; what is never set is 0 or "". */
int x;
self int x;
this int x;
string s;
self string s;

BEGIN
{
	x = 1;
	self->x = 2;
	this->x = 3;
	printf("%d %d %d\n", x, self->x, this->x);
	printf("[%s] [%s]\n", s, self->s);
	self->s = "kept";
}

BEGIN
{
	printf("%d [%s]\n", this->x, self->s);
	self->x = 0;
	printf("%d\n", self->x);
	exit(0);
}
