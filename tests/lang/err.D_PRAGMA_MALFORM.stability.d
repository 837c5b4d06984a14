/* No such stability. */
inline int x = 1;
#pragma D attributes Firm/Stable/Common x
BEGIN
{
	trace(x);
}
