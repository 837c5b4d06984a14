/* The example of every kind of member. */
/* flags: -q */
typedef struct bar { int alpha; } bar_t;
typedef struct foo {
	int a;
	int f:4;
	struct { uint64_t alpha; } c;
	bar_t b[2];
	char d[3];
	char e[30];
	int (*g)();
} foo_t;
foo_t f;
BEGIN
{
	f.a = f.f = 1;
	f.c.alpha = 3;
	f.b[0].alpha = 5;
	f.b[1].alpha = 6;
	f.d[0] = 4;
	f.e[0] = 'a';
	f.e[1] = 'b';
	f.g = (int (*)())8;
	print(f);
	print(f.f);
	print(f.c);
	print(f.b[1]);
	exit(0);
}
