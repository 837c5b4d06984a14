/* To scratch, from the kernel and from a variable. */
/* flags: -q */
char name[8];

BEGIN
{
	this->p = (char *)alloca(8);
	bcopy(curthread->comm, this->p, 4);
	tracemem(this->p, 8);
	bcopy(this->p + 8, this->p, 0);		/* nothing at all */
	bcopy(curthread->comm, this->p, 8);
	tracemem(this->p, 8);
	name[0] = 't'; name[1] = 'r'; name[2] = 'a'; name[3] = 'c';
	name[4] = 'e';
	bcopy(name, this->p, 8);
	printf("%s\n", stringof(this->p));
	exit(0);
}
