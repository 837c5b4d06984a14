# Code that the dynamic linker changes when it loads the library (compiled without -fPIC):
# the kernel would execute it as the file has it, so no probe stands there, and the
# process is unharmed by those that stand elsewhere.
# needs: gcc
cat >lib.c <<'EOF'
int seen = 5;
__attribute__((noinline)) int called(int n) { __asm__ volatile(""); return n + seen; }
__attribute__((noinline)) int *where(void) { __asm__ volatile(""); return &seen; }
int relo(int n) { int r = called(n) + seen; *where() = seen + 1; return r; }
__attribute__((noinline)) int leaves(int n) { if (n < 0) return -n; __asm__ volatile(""); return called(n); }
EOF
cat >prog.c <<'EOF'
#include <stdio.h>
int relo(int n), leaves(int n);
int main(void)
{
	long sum = 0;
	for (int i = 0; i < 100; i++)
		sum += relo(i) + leaves(i);
	printf("%ld\n", sum);
	return 0;
}
EOF
gcc -O1 -fno-pic -mcmodel=large -shared -Wl,-z,notext -o libmoved.so lib.c 2>/dev/null &&
	readelf -d libmoved.so | grep -q TEXTREL && gcc -O1 -o prog prog.c ./libmoved.so ||
	{ echo 'no such libraries here'; exit 77; }
plain=$(./prog)
for function in relo called where leaves; do
	"$DTRACE" -qn "pid\$target:libmoved:$function: { @[probename] = count(); }" -c ./prog >out
	[ "$(head -1 out)" = "$plain" ] && echo "$function unharmed"
	awk '$1 ~ /^(entry|return|0)$/ { print $1, $2 }' out | sort
	awk 'NF == 2 { print "each", $2 }' out | sort -u
done
"$DTRACE" -n 'pid$target:libmoved:where:0' -c ./prog 2>&1 | grep -o 'it would harm the process'
# What is named and fires nowhere is told, also beside others that fire.
"$DTRACE" -qn 'pid$target:libmoved:where:entry,pid$target:libmoved:relo:entry { @ = count(); }
	pid$target:libmoved:where:entry { @ = count(); }' -c ./prog 2>&1 >/dev/null | sed 's/pid[0-9]*:/pidN:/g'
"$DTRACE" -qn 'pid*:libmoved:relo:,pid*:libmoved:leaves: { @ = count(); }' -c ./prog | head -1 | grep -cx -- "$plain"
"$DTRACE" -x pidreturn=uretprobe -qn 'pid$target:libmoved:where:return { @ = count(); }' -c ./prog | awk 'NF { print $1 }'
