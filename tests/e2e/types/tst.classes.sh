# needs: c++
# Classes: what they inherit, what is in a namespace, what is one for all objects.
c++ -g -O1 -o classes "$HERE/classes.cc"
"$DTRACE" -qn 'syscall::write:entry /pid == $target && arg2 == 7/ {
	this->b = (struct shop::book *)arg1;
	printf("%s %s %d %d %d %d\n", stringof(this->b->title),
	    stringof(this->b->next->title), this->b->id, this->b->size.height,
	    this->b->lent, this->b->isbn);
	printf("%d %d %d\n", ((a.out`shop::book *)arg1)->size.width, a.out`first.size.area,
	    a.out`shop::thing::made);
	print(this->b->kind);
	print(*this->b); }' -c ./classes | sed 's/0x[0-9a-f]\{6,\}/ADDR/'
"$DTRACE" -qn 'pid$target:a.out:*lend*:entry {
	printf("%s %d %s\n", stringof(args[0]->title), args[1], stringof(args[2])); }
	pid$target:a.out:*lend*:return { printf("%d\n", args[1]); }' -c ./classes
# Only a running program knows where a virtual base is: it is left out.
cat >shared.cc <<'END'
struct top { int t; };
struct left : virtual top { int l; };
struct right : virtual top { int r; };
struct bottom : left, right { int b; };
bottom x;
int main() { x.t = 1; x.l = 2; x.r = 3; x.b = 4; return 0; }
END
c++ -g -o shared shared.cc
"$DTRACE" -qn 'syscall::exit_group:entry /pid == $target/ { print(a.out`x);
	printf("%d %d %d\n", a.out`x.l, a.out`x.r, a.out`x.b); }' -c ./shared |
	sed 's/0x[0-9a-f]\{6,\}/ADDR/'
"$DTRACE" -qn 'syscall::exit_group:entry /pid == $target/ { trace(a.out`x.t); }' -c ./shared 2>&1 |
	grep -o 't is not a member of struct bottom'
