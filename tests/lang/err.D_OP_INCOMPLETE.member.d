/* Nothing is known of what it points to. */
struct nothing_known *p;

BEGIN
{
	trace(p->a);
}
