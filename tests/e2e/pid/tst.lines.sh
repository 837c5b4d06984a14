# Probes on lines of source: one, several places of it, copies that were inlined, patterns,
# instructions that may not be probed, libraries that come later; and what is not there.
# needs: gcc
cp "$HERE/places.c" .
gcc -g -O0 -o places places.c
count() { "$DTRACE" -qn "$1 { @[probefunc, probename] = count(); }" -c ./places | awk 'NF > 1 { print $1, $2, $3 }' | sort; }
count 'pid$target:a.out::places.c@9'
count 'pid$target:a.out:work:places.c@9'
count 'pid$target:::pl*s.c@20, pid$target:::places.c@21'
count 'pid$target:a.out:rest:*@3?'
try() { "$DTRACE" -xerrtags -qn "$1" -c ./places 2>&1 | sed -n 's/.*\(\[D_[^ ]* \)[^ ]* [^ ]* [^ ]* /\1/p'; }
try 'pid$target:a.out::places.c@26'
try 'pid$target:a.out::place.c@9'
try 'pid$target:a.out:work:places.c@36'
try 'pid$target:a.out::places.c@*'
try 'pid$target:a.out::places.c@'
# the same optimized: what was inlined has as many
gcc -g -O2 -o places places.c
count 'pid$target:a.out::places.c@9'
"$DTRACE" -ln 'pid$target:a.out::places.c@9' -c ./places | awk 'NR > 1 { print $3, $4, $5 }' | sort
try 'pid$target:a.out:add:entry' | sed 's/process [0-9]*/process N/'
try 'pid$target:a.out:rext:entry' | sed 's/process [0-9]*/process N/'
strip places
try 'pid$target:a.out::places.c@9' | sed 's/ .*\/places/ places/'
# there is no probe on some instructions: then on the next
cat >locked.c <<'END'
volatile int count;
__attribute__((noinline)) void lock(int n) {
	for (int i = 0; i < n; i++)
#ifdef __x86_64__
#line 5
		__asm__ volatile("lock incl %0" : "+m"(count));
#elif defined(__aarch64__)
#line 5
		__asm__ volatile("1: ldxr w9, %0\nadd w9, w9, 1\nstxr w10, w9, %0\ncbnz w10, 1b" : "+Q"(count) :: "w9", "w10");
#else
		count++;
#endif
}
int main(void) { lock(10); return count != 10; }
END
gcc -g -O1 -o locked locked.c
"$DTRACE" -qn 'pid$target:a.out::locked.c@5 { @ = count(); }' -c ./locked
# a library
cat >late.c <<'END'
int late(int n)
{
	int k = n;
	k += 2;
	return k;
}
END
cat >host.c <<'END'
#include <dlfcn.h>
#include <unistd.h>
int main(void) {
	void *h = dlopen("./late.so", RTLD_NOW);
	int (*f)(int) = (int (*)(int))dlsym(h, "late");
	for (int i = 0; i < 20000; i++) {
		f(i);
		usleep(1000);
	}
}
END
gcc -g -O0 -shared -fPIC -o late.so late.c
gcc -o host host.c
"$DTRACE" -Zqn 'pid$target:late.so::late.c@4 { printf("%s %s\n", probefunc, probename); exit(0); }' -c ./host
