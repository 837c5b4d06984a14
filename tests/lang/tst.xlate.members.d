/* Members of a translated struct, by value and through a pointer. */
#pragma D option quiet

struct in { int a; int b; };
typedef struct out { int sum; string text; char letter; } out_t;

translator out_t < struct in I > {
	sum = I.a + I.b;
	text = strjoin("b is ", lltostr(I.b));
	letter = 'A' + I.a;
};

struct bits { int a : 4; unsigned b : 4; _Bool c : 1; };

translator struct bits < long N > {
	a = N;
	b = N;
	c = N;
};

struct in in;

BEGIN
{
	in.a = 2;
	in.b = 40;
	printf("%d\n", xlate <out_t>(in).sum);
	printf("%s %c\n", xlate <out_t *>(in)->text,
	    xlate <struct out *>(in)->letter);
	in.a = 3;
	printf("%d %c\n", xlate <out_t>(in).sum, xlate <out_t>(in).letter);
	printf("%d %d %d\n", xlate <struct bits>(30L).a,
	    xlate <struct bits>(30L).b, xlate <struct bits>(30L).c);
	exit(0);
}
