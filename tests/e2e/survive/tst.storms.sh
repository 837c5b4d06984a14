# Many that come and go: libraries that are loaded and unloaded a thousand times, threads,
# and children that are traced, too.  Each is seen, and goes on as it would.
# needs: gcc
cat >loads.c <<'EOC'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
	char name[40];
	int sum = 0;
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "./late%d.so", i % 50);
		void *h = dlopen(name, RTLD_NOW);
		int (*late)(int) = h ? (int (*)(int))dlsym(h, "late") : NULL;
		if (!late)
			return 1;
		sum += late(i);
		dlclose(h);
	}
	printf("loads %d\n", sum);
}
EOC
echo 'int late(int i) { return i + 1; }' >late.c
gcc -O1 -o loads loads.c && gcc -O1 -shared -fPIC -o late.so late.c || exit 77
for ((i = 0; i < 50; i++)); do cp late.so late$i.so; done
"$DTRACE" -x usdtwait=stop -Zqn 'pid$target:late*.so:late:entry { @ = count(); }
	END { printa("%@d\n", @); }' -c ./loads | grep .
cat >storm.py <<'EOC'
import os, sys, threading
if sys.argv[1] == 'threads':
    for i in range(20):
        threads = [threading.Thread(target=os.getppid) for _ in range(50)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
else:
    bad = 0
    for i in range(100):
        pid = os.fork()
        if not pid:
            os.getppid()
            os._exit(7)
        bad += os.waitpid(pid, 0)[1] != 7 << 8
    print('forks', bad, flush=True)
EOC
python=$(python3 -c 'import sys; print(sys.executable)')
"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { @ = count(); }
	END { printa("threads %@d\n", @); }' -c "$python storm.py threads" | grep .
"$DTRACE" -x usdtwait=stop -x follow -Zqn 'pid$target:libc.so.6:getppid:entry { @ = count(); }
	END { printa("%@d\n", @); }' -c "$python storm.py forks" | grep .
