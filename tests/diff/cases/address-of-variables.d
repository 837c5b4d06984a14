/* Addresses of variables: what is stored through them is what they hold. */
int a[5];
int n, *p;
short h;
char *c;
struct s { int x; char c; struct { short k[3]; } in; } g;
this struct s l;
this int i;
this int *pi;
this short *ph;
this string str;
string text;
BEGIN, diff:mod:func:a
{
	a[1] = 11;
	p = &a[1];
	trace(*p); trace(p[1]); trace(p[-1]);
	*p = 5;
	p[1] = 6;
	trace(a[1]); trace(a[2]);
	p = &a[arg0 % 5];
	*p = arg0;
	trace(a[0]); trace(a[1]); trace(a[2]); trace(a[3]); trace(a[4]);
	trace(&a[5] - &a[0]);
}
BEGIN, diff:mod:func:a
{
	p = &n;
	n = -7;
	trace(*p);
	*p = arg0;
	trace(n);
	(*p)++;
	n++;
	trace(n); trace(*p);
	n += 1000000;
	trace(*p);
	this->ph = &h;
	h = 70000;
	trace(*this->ph);
	*this->ph = -1;
	trace(h); trace(h < 0);
}
BEGIN, diff:mod:func:a
{
	this->i = 3;
	this->pi = &this->i;
	*this->pi += 4;
	trace(this->i);
	this->l.in.k[2] = 9;
	this->ph = &this->l.in.k[0];
	trace(this->ph[2]);
	*this->ph = 8;
	trace(this->l.in.k[0]);
	c = &g.c;
	*c = arg0;
	trace(g.c);
	this->str = "clause";
	c = &this->str[0];
	*c = 'C';
	trace(this->str);
	c = &text[2];
	text = "abcdef";
	*c = 'X';
	trace(text); trace(stringof(c));
	this->p2 = &text;
	trace(*this->p2);
}
diff:mod:func:a { this->i = arg0; trace(a[this->i]); }
diff:mod:func:a { this->i = arg0; a[this->i] = 1; trace(1); }
diff:mod:func:a { this->i = arg0; p = &a[this->i]; trace(2); }
diff:mod:func:a { this->i = arg0; trace(g.in.k[this->i]); }
diff:mod:func:a { p = &a[4]; p[1] = 1; trace(3); }
diff:mod:func:a { p = &a[0]; p[-1] = 1; trace(4); }
diff:mod:func:a { p = &n; p[1] = 1; trace(5); }
diff:mod:func:a { this->pi = &this->i; this->pi[1] = 1; trace(6); }
ERROR { trace(arg3); trace(arg4); }
