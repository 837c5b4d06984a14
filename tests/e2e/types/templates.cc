// SPDX-License-Identifier: BSD-2-Clause
//
// Types with arguments, for a tracer to name.
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

namespace shop {
enum class kind { book = 3, pen };
enum place { shelf = 2, window };
template <typename T, int N> struct box {
	T things[N];
	struct lid { bool open; T *last; } lid;
	static int made;
};
template <typename T, int N> int box<T, N>::made = N;
template <typename T, typename Less = std::less<T>> struct heap { T first; Less less; };
template <typename T> struct wrap { T in; };
}

shop::box<unsigned long, 2> numbers { { 5, 6 }, { true, numbers.things } };
shop::box<const char *, 1> words { { "a word" }, { false, words.things } };
shop::heap<int> heap { 7, {} };
shop::wrap<shop::wrap<short>> nested { { 8 } };
std::vector<int> list { 1, 2, 3 };
std::map<std::string, long> prices { { "pen", 2 } };
std::string name = "the name";
int marks = 3;

template <typename T> __attribute__((noinline)) int
look(const T &t, shop::kind k, shop::place p)
{
	__asm__ volatile("" ::: "memory");
	return sizeof(t) + (int)k + p == 0;
}

int
main()
{
	write(-1, &numbers, 7);
	return look(list, shop::kind::pen, shop::window) + look(numbers, shop::kind::book, shop::shelf) +
		shop::box<unsigned long, 2>::made == 1;
}
