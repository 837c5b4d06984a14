// SPDX-License-Identifier: BSD-2-Clause
//
// Classes in namespaces, for a tracer to look into.
#include <unistd.h>

namespace shop {
namespace inner {
struct size { int width : 4, height : 12; long area; };
enum class kind { book = 3, pen };
}

class thing {
public:
	virtual ~thing() {}
	int id = 5;
	static int made;
	inner::kind kind = inner::kind::pen;
};
int thing::made = 3;

class book : public thing {
public:
	const char *title = "the title";
	bool lent = true;
	inner::size size = { 2, 300, 600 };
	union { long isbn = 77; char raw[8]; };
	book *next = nullptr;

	__attribute__((noinline)) int lend(int days, const char *who)
	{
		__asm__ volatile("" ::: "memory");
		return days + id + (who == nullptr);
	}
};
}

shop::book first;

int
main()
{
	shop::book b;
	b.next = &first;
	b.title = "another";
	write(-1, &b, 7);
	return b.lend(3, "me") + shop::thing::made == 0;
}
