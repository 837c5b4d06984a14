/* inline: a name for an expression, with and without keys. */
#pragma D option quiet

inline int ONE = 1;
inline int TWO = ONE + ONE;
inline string GREETING = "hello";
inline int twice[int n] = n + n;
inline int area[int w, int h] = w * h;
inline string name[int n] = n == 0 ? "none" : n == 1 ? "one" : "many";
inline int mine = pid == $pid;
inline char narrow[int n] = n;
int x;

BEGIN
{
	printf("%d %s %d\n", TWO, GREETING, twice[TWO]);
	printf("%d %d\n", area[3, 4], twice[area[2, twice[2]]]);
	printf("%s %s %s\n", name[0], name[ONE], name[7]);
	x = 20;
	printf("%d %d\n", twice[x], twice[x - 1]);
	printf("%d %d\n", mine, narrow[258]);
	exit(0);
}
