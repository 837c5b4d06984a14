/* print() of what a translator makes. */
#pragma D option quiet

struct out { int a; int b; char name[8]; };
translator struct out < int I > { a = I; name = "seven"; };
inline struct out *out = xlate <struct out *>(7);

BEGIN
{
	print(xlate <struct out>(10));
	print(*out);
	exit(0);
}
