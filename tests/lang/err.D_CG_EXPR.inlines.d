/* What inlines expand to has a limit. */
inline int a = pid + pid + pid + pid + pid + pid + pid + pid;
inline int b = a + a + a + a + a + a + a + a + a + a + a + a;
inline int c = b + b + b + b + b + b + b + b + b + b + b + b;
inline int d = c + c + c + c + c + c + c + c + c + c + c + c;
BEGIN
{
	trace(d + d + d + d + d + d + d + d + d + d + d + d);
}
