/* flags: -q
 * Memory whose address is kept is not given back before the clause ends, also
 * when a function has claimed it, or one that this calls. */
int *p, *q;

void
claim(void)
{
	p = (int *)alloca(8);
	*p = 5;
}

void
call(void)
{
	claim();
}

int
many(void)
{
	int *r = (int *)alloca(4);

	*r = 8;
	q = r;
	return *r;
}

BEGIN
{
	call();
	this->n = many();
	this->s = (char *)copyin((uintptr_t)curpsinfo->pr_argv, 0);
	this->t = (char *)alloca(16);
	this->t[0] = 'k';
	this->u = (uint64_t)alloca(8);
	*(uint64_t *)this->u = 9;
	s = strjoin("aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb");
	s = strjoin(toupper(s), "cccccccccccccccc");
	@[strjoin(s, "d")] = count();
	printf("%d %d %d %c %d\n", *p, *q, this->n, this->t[0],
	    *(uint64_t *)this->u);
	for (int i = 0; i < 2; i++) {
		call();
		s = strjoin("eeeeeeeeeeeeeeee", "ffffffffffffffff");
		printf("%d\n", *p);
	}
	exit(0);
}
