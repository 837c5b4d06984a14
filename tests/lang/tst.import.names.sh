# import loads a library once; what is in its namespace has a name in two parts
# outside, and its own inside.
mkdir lib
cat >lib/geo.d <<'D'
import "unit";
int loaded;
namespace geo {
	inline int SCALE = 10;
	enum colour { RED = 3, GREEN };
	typedef struct point { int x, y; struct point *next; } point_t;
	struct box { point_t from, to; };
	/* Names of members are their own affair. */
	typedef struct odd { int SCALE; int RED; } odd_t;
	translator point_t < int n > { x = n; y = n * SCALE + RED; };
	translator odd_t < int n > { SCALE = n + SCALE; RED = GREEN; };
	inline point_t at[int n] = xlate <point_t>(n);
	inline odd_t odd = xlate <odd_t>(1);
	inline int LATER = unit.INCH * 2;
	int count;
	string label[int];
	int square(int n) { return n * n; }
	int sum(int n) { count += square(n); return count + SCALE; }
	namespace inner {
		inline int SCALE = 100;
		inline int BOTH = SCALE + RED;
	}
}
inline int OUTSIDE = geo.SCALE + 1;
D
cat >lib/unit.d <<'D'
namespace unit { inline int INCH = 25; }
D
cat >program.d <<'D'
#pragma D option quiet
import "geo";
import "geo.d";
geo.point_t *p;
struct geo.box box;
inline int SCALE = 7;

BEGIN
{
	geo.count = 5;
	geo.label[1] = "one";
	printf("%d %d %d %d\n", SCALE, geo.SCALE, OUTSIDE, geo.LATER);
	printf("%d %d %d\n", geo.RED, geo.at[4].y, geo.odd.SCALE + geo.odd.RED);
	printf("%d %d\n", geo.inner.SCALE, geo.inner.BOTH);
	printf("%d %s\n", geo.count, geo.label[1]);
	printf("%d %d\n", sizeof (geo.point_t), xlate <geo.point_t>(2).x);
	printf("%d\n", (int)offsetof(struct geo.box, to));
	box.to.y = 8;
	printf("%d %d\n", geo.square(4), geo.sum(2));
	printf("%d %d\n", box.to.y, p == (geo.point_t *)0);
	exit(0);
}
D
"$DTRACE" -x syslibdir=lib -s program.d
