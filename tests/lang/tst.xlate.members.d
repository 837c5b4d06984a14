/* Members of a translated struct, by value and through a pointer. */
#pragma D option quiet

struct in { int a; int b; };
typedef struct out { int sum; string text; char letter; } out_t;

translator out_t < struct in I > {
	sum = I.a + I.b;
	text = strjoin("b is ", lltostr(I.b));
	letter = 'A' + I.a;
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
	exit(0);
}
