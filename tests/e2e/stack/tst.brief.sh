# A process that has ended before anybody could look: its file is known all the same when
# the next one executes it.
# needs: gcc
cat >t.c <<'END'
#include <unistd.h>
static int __attribute__((noinline)) inner(int n) { return getppid() + n; }
static int __attribute__((noinline)) middle(int n) { return inner(n) + 2; }
int main(int argc, char **argv) { return middle(argc) == 1; }
END
gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o fresh t.c || exit 77
"$DTRACE" -qn 'syscall::getppid:entry /execname == "fresh" && progenyof($target)/
	{ @[ustack()] = count(); }
	syscall::getppid:entry /execname == "fresh" && progenyof($target) && n++/ { ustack(); }
	END { trunc(@); }' -c "sh -c './fresh; sleep 1; ./fresh; true'" | sed 's/+0x[0-9a-f]*//; s/^ *//' | grep . | head -4
