/* Members of a member without a name. */
/* flags: -q */
struct variant {
	int kind;
	union {
		int number;
		char text[4];
		struct { short low, high; };
	};
} v;
BEGIN
{
	v.kind = 1;
	v.number = 0x6968;
	print(v);
	exit(0);
}
