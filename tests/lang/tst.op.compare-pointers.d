/* Addresses come as pointers and as integers; compared they are unsigned and
 * as wide as a pointer. */
#pragma D option quiet

struct task_struct *t;
char *p;
int minus;

BEGIN
{
	t = curthread;
	this->n = (uint64_t)curthread;
	minus = -1;
	p = (char *)-1;
	printf("%d %d %d\n", t == this->n, this->n == t, t != this->n);
	printf("%d %d %d\n", t == 0, t > 0, 0 < t);
	printf("%d %d\n", p == minus, p == -1);
	printf("%d %d\n", p > 5, (char *)5 < minus);
	printf("%d %d\n", (char *)5 == 5, (char *)5 <= 4);
}

BEGIN
/t == this->n/
{
	printf("same\n");
	exit(0);
}
