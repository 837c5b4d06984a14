# Everything that a library may define, used by a program; of two files with
# one name, that of the directory named first counts.
mkdir a b
cat >a/one.d <<'D'
typedef struct point { int x, y; } point_t;
inline int SEVEN = 7;
inline int twice[int n] = n + n;
enum { RED, GREEN = 5, BLUE };
int tally;
string label[int];
translator point_t < int n > { x = n; y = n * 10; };
inline string GREETING = "hello";
D
cat >b/one.d <<'D'
inline int SEVEN = 8;
D
cat >b/two.d <<'D'
inline int EIGHT = SEVEN + 1;
D
cat >program.d <<'D'
struct point *p;
BEGIN
{
	tally = SEVEN;
	label[3] = GREETING;
	trace(tally); trace(twice[EIGHT]); trace(BLUE);
	trace(label[3]); trace(xlate <point_t>(4).y);
	trace(sizeof (point_t));
	exit(0);
}
D
"$DTRACE" -qL a -L b -s program.d
"$DTRACE" -q -x libdir=b -x libdir=a -n 'BEGIN { trace(SEVEN); exit(0); }'
