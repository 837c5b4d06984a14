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
