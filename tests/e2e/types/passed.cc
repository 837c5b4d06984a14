// How C++ passes what is written as a value: what has to be copied by a function goes by
// reference, and so does what is returned in memory.
#include <memory>
#include <string>

struct big { long a, b, c; };
struct pod { int a, b; };
struct base { virtual ~base() {} int n = 1; };
struct plain { plain() = default; plain(const plain &) = default; int a; };
struct holds { plain p; std::shared_ptr<int> q; };
struct copies { copies(int n) : a(n) {} copies(const copies &o) : a(o.a) {} int a; };
template <typename T> struct keeps { keeps(T n) : v(n) {} keeps(const keeps<T> &o) : v(o.v) {} T v; };
enum class color : char { red, green = 5 };
template <typename T> struct box { T v; box<T> *next; };
#define OWN __attribute__((noinline))

OWN int by_value(std::string s, int n) { return (int)s.size() + n; }
OWN int by_ref(std::string &s, const box<int> &b, color c, int n)
{
	return (int)s.size() + n + b.v + (int)c;
}
OWN std::unique_ptr<int> make(int n, big b, int k) { return std::make_unique<int>(n + k + (int)b.a); }
OWN std::unique_ptr<int> pass(std::unique_ptr<int> p, int n) { *p += n; return p; }
OWN pod mkpod(int n) { return { n, n + 1 }; }
OWN int virt(base b, int n) { return b.n + n; }
OWN int copied(plain p, int n) { return p.a + n; }
OWN int shared(holds h, int n) { return *h.q + n; }
OWN int own_copy(copies c, int n) { return c.a + n; }
OWN int own_kept(keeps<long> c, int n) { return (int)c.v + n; }

int main()
{
	box<int> b { 4, nullptr };
	std::string s = "a string that is too long for its struct";
	int r = by_value(s, 42) + by_ref(s, b, color::green, 43);
	auto p = pass(make(44, big { 1, 2, 3 }, 45), 46);
	plain q;
	q.a = 3;
	r += own_copy(copies(51), 52) + own_kept(keeps<long>(53), 54);
	return (r + *p + mkpod(47).b + virt(base(), 48) + copied(q, 49) +
		shared(holds { q, std::make_shared<int>(7) }, 50)) == 0;
}
