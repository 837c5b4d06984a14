/* flags: -q
 * 31 random bits. */
BEGIN
{
	this->a = rand();
	this->b = rand();
	this->c = rand();
	printf("%d\n", this->a >= 0 && this->b >= 0 && this->c >= 0);
	printf("%d\n", this->a != this->b || this->b != this->c);
	exit(0);
}
