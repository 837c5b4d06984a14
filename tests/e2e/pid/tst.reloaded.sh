# A plug-in that is unloaded, written over and loaded again, with the inode that it had: its
# probes are where its functions are by now, each call fires once, and nothing is left in
# the middle of other instructions, however soon it is loaded.
# needs: gcc
# timeout: 120
cat >host.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int sum = 0, pause = argc > 1;
	for (int i = 0; i < 6; i++) {
		if (system(i % 2 ? "cat long.so >plug.so" : "cat short.so >plug.so"))
			return 1;
		if (pause)
			usleep(300000);
		void *h = dlopen("./plug.so", RTLD_NOW);
		int (*work)(int) = h ? (int (*)(int))dlsym(h, "work") : NULL;
		if (!work)
			return 2;
		for (int k = 0; k < 100; k++)
			sum += work(k);
		dlclose(h);
	}
	printf("sum %d\n", sum);
}
END
# Where the short one's work() begins is the middle of an instruction of the long one's.
cat >short.c <<'END'
__attribute__((aligned(64))) int work(int i) { return i + 1; }
END
cat >long.c <<'END'
#define LONG __asm__ volatile("movabs $0x1122334455667788,%%rax" ::: "rax");
#define MANY LONG LONG LONG LONG LONG LONG LONG LONG
__attribute__((aligned(64))) static int all(int i) { MANY MANY MANY MANY return i; }
__attribute__((aligned(64))) int work(int i) { return all(i) + 1; }
END
case $(uname -m) in x86_64) ;; *) sed -i '/^#define LONG/s/LONG.*/LONG/' long.c ;; esac
gcc -O1 -o host host.c && gcc -O1 -shared -fPIC -o short.so short.c &&
	gcc -O1 -fno-inline -shared -fPIC -o long.so long.c || exit 77
trace() {
	"$DTRACE" "${@:2}" -Zqn '
		pid$target:plug.so:work:entry { @ = count(); }
		END { printa("%@d\n", @); }' -c "$1" >out 2>&1
	grep sum out
}
trace './host slowly'	# how many calls are seen is a matter of time
trace ./host
trace ./host -x usdtwait=stop
grep -v -e sum -e '^$' out
