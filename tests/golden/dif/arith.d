int a, b; unsigned char c; long l;
BEGIN
{
	trace(a + b * 2 - 1);
	trace((a + b) / 3);
	trace(c << 1);
	trace(l % 10);
	a += c;
	b = -a >> 2;
}
