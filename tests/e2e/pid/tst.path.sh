# An object by its path: of two libraries of one name the one, also by a link to it; of all
# processes; and beside predicates.
# needs: gcc
cat >f.c <<'END'
int f(int n) { return n + 1; }
END
cat >p.c <<'END'
#include <dlfcn.h>
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int (*f)(int) = (int (*)(int))dlsym(dlopen(argv[i], RTLD_NOW), "f");
		for (int k = 0; k < i * 10; k++)
			f(k);
	}
	return 0;
}
END
mkdir one two+three
gcc -shared -fPIC -O1 -o one/libx.so f.c && gcc -shared -fPIC -O1 -o two+three/libx.so f.c &&
	gcc -o p p.c -Wl,--no-as-needed one/libx.so two+three/libx.so || exit 77
ln -s two+three/libx.so link.so
count() {
	"$DTRACE" -qn "$1 { @[probemod, probefunc] = count(); }" \
		-c "./p one/libx.so two+three/libx.so" | awk 'NF { print $1, $2, $3 }'
}
count 'pid$target:libx.so:f:entry'
count "pid\$target:$PWD/one/libx.so:f:entry"
count "pid\$target:$PWD/two+three/libx.so:f:entry"
count "pid\$target:$PWD/link.so:f:entry/pid == \$target ? arg0 > 14 : 0/"
count "pid*:$PWD/link.so:f:entry"
count 'pid$target:/nosuch/libx.so:f:entry' 2>&1 | sed -n 's/.*executes\([^(]*\) (.*/executes\1/p'
# No path, but a predicate.
"$DTRACE" -qn 'BEGIN{} END/pid?1:0/{ trace("end\n"); } dtrace:::BEGIN/1?1:0/{ trace("begin\n"); }
	write:/0?1:0/ { trace("never\n"); } tick-1ms { exit(0); }'
