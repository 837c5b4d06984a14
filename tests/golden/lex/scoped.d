/* Names as C++ has them are one word each; what is none is left as it was. */
struct shop::book *b;
translator struct o<int i> { a = i; };
self struct std::vector<int>::iterator *i;

BEGIN
{
	(std::string *)arg0;
	(std::map<std::string, long> *)arg0;
	(struct box<int> *)arg0;
	(struct box<box<int>>::lid *)arg0;
	(struct a.out`box<const char *, 3>::lid *)arg0;
	(struct alloc::vec::Vec<fn(u32) -> u32, A> *)arg0;
	(struct f<main()::{lambda(int)#1}> *)arg0;
	(struct c<'>'> *)arg0;
	a.out`shop::n<3 && a.out`shop::n>2;
	a.out`box<int, 2>::made; a.out`shop::box<box<int>>::made<3; a.out`x<y>z; a.out`b<3;
	a::b<c&&d>e; a::b<c||d>e; a::b<c==d>e; a::b<c!=d>e;
	(struct a::b<int&&> *)arg0;
	(struct a::b<&&str, A> *)arg0;
	x<y; x<y>z; a ? b : c::d;
	(struct box<int *)arg0;
	(a::b<(int> *)arg0;
	self::x; string::y; int::z;
}
