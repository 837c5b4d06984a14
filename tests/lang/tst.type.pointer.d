/* Pointers count in elements; differences do, too. */
#pragma D option quiet

struct three { int a, b, c; };

BEGIN
{
	this->p = (struct three *)0x1000;
	printf("%d %d %d\n", (long)&this->p->a - 0x1000,
	    (long)&this->p->b - 0x1000, sizeof (*this->p));
	printf("%d %d\n", (this->p + 3) - this->p,
	    (long)(this->p + 2) - (long)this->p);
	printf("%d %d\n", this->p < this->p + 1, this->p == NULL);
	printf("%p %p\n", this->p, &this->p[2]);
	exit(0);
}
