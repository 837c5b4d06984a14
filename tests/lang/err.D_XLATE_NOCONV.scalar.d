/* A translated struct is no value. */
struct out {
	int a;
	int b;
};

translator struct out < int i > {
	a = i;
};

BEGIN
{
	trace(1 + xlate <struct out *>(1));
}
