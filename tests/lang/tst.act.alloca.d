/* Memory that lasts as long as the clause: numbers, arrays, structs. */
/* flags: -q */
struct point { int x; short y[2]; };

BEGIN
{
	this->n = (int *)alloca(4 * sizeof (int));
	*this->n = 7;
	this->n[3] = 9;
	this->n[1]++;
	printf("%d %d %d %d\n", *this->n, this->n[1], this->n[2], this->n[3]);
	this->p = (struct point *)alloca(sizeof (struct point));
	this->p->x = -1;
	this->p->y[1] = 0x102;
	tracemem(this->p, 8);
	this->c = (char *)alloca(3);
	this->c[0] = 'h'; this->c[1] = 'i';
	printf("%s %d\n", stringof(this->c), (int)((uintptr_t)this->c % 8));
	@[stringof(this->c)] = count();
	exit(0);
}
