# Stacks of a file that nobody has seen, taken while a table for it is made, say that they
# were followed by frame pointers, and are counted.
# needs: gcc
cat >t.c <<'END'
#include <unistd.h>
static int __attribute__((noinline)) inner(int n) { int p = getppid(); usleep(n); return p + 1; }
static int __attribute__((noinline)) middle(int n) { return inner(n) + 2; }
int main(void) { int s = 0; for (int i = 0; i < 400; i++) s += middle(2000); return s == 1; }
END
gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o fresh t.c || exit 77
"$DTRACE" -qvn 'syscall::getppid:entry /execname == "fresh" && progenyof($target)/
	{ @[ustack()] = count(); }' -c "sh -c './fresh; true'" >out 2>told
n=$(sed -n 's/.*warning: \([0-9]*\) stacks were followed by frame pointers.*/\1/p' told out)
awk -v n="$n" '
	/^ *[0-9]+$/ { sum += $1; if (marked) blind += $1; else { whole += $1; if (!has) bad++ } marked = has = 0 }
	/\[by frame pointer\]/ { marked = 1 }
	/`main\+/ { has = 1 }
	END { print sum, (blind > 0), (blind == n + 0), (whole > 50), bad + 0 }' out
"$DTRACE" -qn 'syscall::getppid:entry /execname == "fresh" && pid == $target/
	{ @[ustack()] = count(); }' -c ./fresh | grep "frame pointer" || echo none
