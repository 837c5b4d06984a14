# needs: c++
# Types of C++ with arguments, as people write them and as compilers do.
cp "$HERE/templates.cc" .
look() {
	"$DTRACE" -qn 'syscall::write:entry /pid == $target && arg2 == 7/ {
		this->n = (struct shop::box<unsigned long, 2> *)arg1;
		printf("%d %d %d\n", this->n->things[1], this->n->lid.open, *this->n->lid.last);
		print(*(struct shop::box<long unsigned int,2>::lid *)&this->n->lid.open);
		this->w = (shop::box<const char *, 1> *)&a.out`words;
		printf("%s %s\n", stringof(this->w->things[0]),
		    stringof(((struct a.out`shop::box<char const*,1> *)&a.out`words)->things[0]));
		printf("%d %d\n", ((shop::heap<int> *)&a.out`heap)->first,
		    ((shop::wrap<shop::wrap<short int> > *)&a.out`nested)->in.in);
		this->l = (std::vector<int> *)&a.out`list;
		printf("%d %d\n", this->l->_M_impl._M_start[2],
		    this->l->_M_impl._M_finish - this->l->_M_impl._M_start);
		printf("%d\n", ((std::map<std::string, long> *)&a.out`prices)->_M_t._M_impl._M_node_count);
		printf("%s %s\n", stringof(((std::string *)&a.out`name)->_M_dataplus._M_p),
		    stringof(((struct std::string *)&a.out`name)->_M_dataplus._M_p));
		printf("%d %d %d\n", a.out`shop::box<unsigned long, 2>::made,
		    a.out`shop::box<long unsigned int,2>::made<3, a.out`marks<3);
		printf("%d %d\n", sizeof(std::string), sizeof(struct std::basic_string<char>));
		printf("%s\n", stringof(((std::basic_string<char> *)&a.out`name)->_M_dataplus._M_p)); }' -c ./shop
	"$DTRACE" -qn 'pid$target:a.out:*look*vector*:entry /args[1] == shop::kind::pen && args[2] == shop::window/ {
		printf("%d\n", args[0]->_M_impl._M_start[1]); print(args[1]); }
		pid$target:a.out:*look*box*:entry /args[1] != shop::kind::pen && args[2] == shelf/ {
		print(args[0]->lid.open); print(args[2]); exit(0); }' -c ./shop
}
same() { sed 's/0x[0-9a-f]\{6,\}/ADDR/; s/long unsigned int/unsigned long/'; }
if command -v clang++ >/dev/null; then
	clang++ -g -O1 -o shop templates.cc && look | same >clang
fi
c++ -g -O1 -o shop templates.cc && look | same | tee gcc
[ ! -f clang ] || diff gcc clang
try() {
	"$DTRACE" -qn 'syscall::write:entry /pid == $target/ { trace('"$1"'); }' -c ./shop 2>&1 |
		sed -n "s/.*}: //p; s/^hint/hint/p"
}
try '((shop::box<short, 1> *)arg1)->lid'
try '((struct shop::box<short, 1 *)arg1)->lid'
try '((shop::pen<int> *)arg1)->lid'
try 'a.out`shop::box<short, 2>::made'
