/* Functions may be declared before they are defined, and need not be defined at
 * all when nobody calls them; that is what headers of C are made of. */
#pragma D option quiet

int twice(int);
extern int never(char *, ...);
void (*handler(int number, void (*f)(int)))(int);
static int
twice(int x)
{
	return thrice(x) - x;
}
int thrice(int x);
int
thrice(int x)
{
	return 3 * x;
}
int twice(int);

BEGIN
{
	printf("%d\n", twice(21));
	exit(0);
}
