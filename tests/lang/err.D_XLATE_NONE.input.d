/* No such translator. */
struct out {
	int a;
	int b;
};

translator struct out < int i > {
	a = i;
};

BEGIN
{
	trace(xlate <struct out>("x").a);
}
