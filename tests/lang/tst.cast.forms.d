#pragma D option quiet

/* What casts make of structs, strings and addresses. */
struct s {
	int a;
	char c[8];
};
typedef struct s s_t;
struct s g;
string text;

BEGIN
{
	g.a = 5;
	g.c[0] = 'x';
	this->copy = (struct s)g;
	this->other = (s_t)this->copy;
	printf("%d %d %d\n", ((struct s)g).a, this->copy.a, this->other.a);
	this->p = (char *)"abcd";
	printf("%c %s\n", *(this->p + 1), (string)(this->p + 1));
	printf("%s %s %s %s\n", (string)(uintptr_t)this->p,
	    (string)(int *)this->p, (string)(void *)this->p,
	    (string)((int64_t)this->p + 2));
	printf("%s %s\n", (string)g.c, (char *)g.c);
	printf("%s\n", (char *)execname);
	printf("%d\n", (char *)curpsinfo->pr_psargs == curpsinfo->pr_psargs);
	printf("%d\n", (string)(char *)curpsinfo->pr_fname == execname);
	text = "hello";
	printf("%s %c\n", stringof((char *)text + 1), ((char *)text)[4]);
	exit(0);
}
