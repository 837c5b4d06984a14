/* flags: -q */
/* Inlines are evaluated where they are used, a parameter at each of its uses. */
int n;
inline int NEXT = ++n;
inline int SQUARE[int x] = x * x;
inline string WHO = n > 1 ? "many" : "one";
inline uint8_t CUT = n + 255;

BEGIN
{
	printf("%d %s\n", NEXT, WHO);
	printf("%d %s\n", NEXT, WHO);
	printf("%d %d\n", SQUARE[NEXT], n);
	printf("%d\n", CUT);
	exit(0);
}
