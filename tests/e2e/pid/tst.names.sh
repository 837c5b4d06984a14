# Functions of C++ are called as the linker knows them, and found by what their
# programmers have written, too.  Those that exceptions leave keep to their returns,
# whatever is asked for.
# needs: g++
cat >p.cc <<'END'
#include <cstdio>
namespace space {
struct thing {
	__attribute__((noinline)) int method(int n) { if (n > 3) throw n; return n + 1; }
	__attribute__((noinline)) int method(long n) { return (int)n + 2; }
};
template <class T> __attribute__((noinline)) T twice(T x) { asm(""); return x + x; }
}
int main()
{
	space::thing t;
	int sum = 0;
	for (int i = 0; i < 10; i++)
		try { sum += t.method(i) + t.method((long)i) + space::twice(i); } catch (int n) { sum += n; }
	printf("%d\n", sum);
}
END
g++ -O1 -fno-ipa-sra -fno-ipa-cp -o p p.cc || exit 77
./p
try() { "$DTRACE" -qn "$1 { @[probefunc] = count(); }" ${2:-} -c ./p | sort; }
try 'pid$target:a.out:space??thing??method:entry'
try 'pid$target:a.out:_ZN5space5thing6methodEi:entry'
try 'pid$target:a.out:*method?long?:entry'
try 'pid$target:a.out:*twice*:entry'
try 'pid$target:a.out:*method?int?:return' -xpidreturn=uretprobe
# A program without symbols: functions are called by their addresses.
called=$(dirname "$WORKLOAD")/called
for name in leaf either; do
	nm "$called" | awk -v name=$name '$3 == name { sub("^0*", "", $1); print $1 }'
done >at
strip -s -o bare "$called" || exit 77
"$DTRACE" -qn "pid\$target:a.out:fun.$(sed -n 1p at):entry, pid\$target:a.out:fun.$(sed -n 2p at):return
	{ @[probename] = count(); }" -c './bare either:10' | sort
