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
# One of a library, by both of its names; the program has the place for it, or has not.
cat >num.c <<'EOF'
int num = 1;
static int own = 5;
int *where(void) { return &own; }
__asm__(".globl other; .set other, own");
EOF
cat >use.c <<'EOF'
#include <unistd.h>
extern int num;
int *where(void);
int own = 9;
int main(void) { num = 7; *where() += own; write(-1, "four", 5); return 0; }
EOF
cc -g -O1 -fPIC -shared num.c -o libnum.so
for how in '-fno-pie -no-pie' '-fPIE -pie -fPIC'; do
	cc -O1 $how use.c -o use -L. -lnum -Wl,-rpath,"$PWD" -rdynamic
	"$DTRACE" -qn 'syscall::write:entry /pid == $target && arg2 == 5/ {
		printf("%d %d %d\n", libnum.so`num, libnum.so`own, libnum.so`other); }' -c ./use
done
