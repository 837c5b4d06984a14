/* No translator makes this. */
typedef struct other { int a; } other_t;
struct out { int a; };
translator struct out < int i > { a = i; };

BEGIN
{
	trace(xlate <other_t>(1).a);
}
