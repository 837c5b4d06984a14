#include "prov.h"
extern "C" { struct req { int id; const char *path; }; int other(req *); }
namespace inner {
template <class T> struct box {
	void open(T v) { MYPROV_BYTES(v, 2); if (MYPROV_NIL_ENABLED()) MYPROV_NIL(); }
};
}
struct base { virtual ~base() {} inline virtual void go(req *r) { MYPROV_START(r); } };
int
other(req *r)
{
	inner::box<int> b;
	inner::box<short> c;
	base d;
	auto f = [r] { MYPROV_START(r); if (MYPROV_GO_ENABLED()) MYPROV_GO(); };
	b.open(r->id);
	c.open(3);
	d.go(r);
	f();
	return 0;
}
