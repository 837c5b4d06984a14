/* An array of numbers stands in one line; text is shown as text. */
/* flags: -q */
struct arrays {
	int n[3];
	char text[30], bytes[3], full[2], none[4];
	short m[2][2];
} v;
BEGIN
{
	v.n[0] = 1; v.n[1] = 2; v.n[2] = 3;
	v.text[0] = 'a'; v.text[1] = 'b';
	v.bytes[0] = 4;
	v.m[0][1] = 1; v.m[1][0] = 2;
	v.full[0] = 'x'; v.full[1] = 'y';
	print(v.n);
	print(v.text);
	print(v.bytes);
	print(v.m);
	print(v.full);
	print(v.none);
	print(v);
	exit(0);
}
