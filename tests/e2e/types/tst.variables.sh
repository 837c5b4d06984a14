# needs: cc
# Variables of a program, by their names: of one that is loaded anywhere, and of one
# that is not.
for how in -pie -no-pie; do
	cc -g -O1 $how -o shapes "$HERE/shapes.c"
	"$DTRACE" -qn 'syscall::write:entry /pid == $target && arg2 == 5/ {
		printf("%d %s %s %d %d\n", a.out`counter, stringof(a.out`items->name),
		    stringof(shapes`items->next->name), a.out`matrix[1][2],
		    a.out`words.slots[1]->count);
		printf("%d %d\n", &a.out`own_file == (void *)arg1,
		    *(&a.out`matrix[0][0] + 1));
		this->f = (struct a.out`file *)arg1;
		printf("%s %d\n", stringof(this->f->our_name), this->f->our_number);
		printf("%s\n", stringof(a.out`own_file.our_name)); }' -c ./shapes
done
# A function has an address.
"$DTRACE" -qn 'syscall::write:entry /pid == $target && arg2 == 5/ {
	usym((uintptr_t)&a.out`look_at); exit(0); }' -c ./shapes
