/* Memory that a clause claimed, and a structure that was never stored. */
/* flags: -q */
struct pair { short low, high; };
struct pair table[int];

BEGIN
{
	this->p = (struct pair *)alloca(8);
	this->p[0].low = this->p[0].high = this->p[1].low = 0;
	this->p[1].high = 0x1234;
	print(this->p[1]);
	print(*this->p);
	print(table[1]);
	exit(0);
}
