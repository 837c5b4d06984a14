/* flags: -q */
inline int LIMIT = 3 * 4;
inline string NAME = "inline";

BEGIN
/LIMIT == 12/
{
	printf("%s %d\n", NAME, LIMIT);
	exit(0);
}
