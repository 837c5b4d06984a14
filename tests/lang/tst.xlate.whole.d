/* A whole translated struct is copied; what the translator does not say is 0,
 * text is cut to the room there is. */
#pragma D option quiet

struct inner { int x; char name[4]; };
struct out {
	int a;
	int absent;
	char text[6];
	char also_absent[8];
	string s;
	short low:5;
	short high:6;
	struct inner inner;
	long last;
};

translator struct inner < char C > { x = C + 1; name = "long name"; };
translator struct out < int I > {
	last = -1;
	a = I;
	text = "more than six";
	s = lltostr(I * 2);
	low = 7;
	high = I;
	inner = xlate <struct inner>((char)64);
};

struct out g;
struct out of[int];

BEGIN
{
	g.absent = 99;
	g = xlate <struct out>(5);
	printf("%d %d %d\n", g.a, g.absent, g.last);
	printf("<%s> <%s> <%s>\n", stringof(g.text), stringof(g.also_absent),
	    g.s);
	printf("%d %d\n", g.low, g.high);
	printf("%d %s\n", g.inner.x, stringof(g.inner.name));
	this->copy = *xlate <struct out *>(6);
	self->copy = this->copy;
	of[1] = xlate <struct out>(7);
	printf("%d %s %d\n", this->copy.a, self->copy.s, of[1].a);
	printf("%d\n", sizeof (xlate <struct out>(1)) == sizeof (struct out));
	exit(0);
}
