/* flags: -q
 * An array is printed as the address at which it lies, not by what is in it. */
int a[3];
char text[8];
struct s {
	int b[2];
	char c[4];
} g;

BEGIN
{
	a[0] = 7;
	text[0] = 'x';
	g.b[0] = 8;
	printf("%p %p\n", a, &a[0]);
	printf("%p %p\n", text, &text[0]);
	printf("%p %p\n", g.b, &g.b[0]);
	printf("%p %p\n", curthread->comm, &curthread->comm[0]);
	printf("%a 0x%p\n", g.c, &g.c[0]);
	exit(0);
}
