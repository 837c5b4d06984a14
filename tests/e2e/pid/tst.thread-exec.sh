# A program that another thread than the first executes: the kernel has lost the probes of what
# was there before, which is told; what is new has its own.
# needs: gcc
cat >from.c <<'EOF'
#include <pthread.h>
#include <unistd.h>
static void *run(void *args) { execv("./to", args); return NULL; }
int main(int n, char **args)
{
	pthread_t t;
	usleep(100000);
	if (n > 1)
		run(args);
	pthread_create(&t, NULL, run, args);
	for (;;)
		pause();
}
EOF
cat >to.c <<'EOF'
#include <unistd.h>
__attribute__((noinline)) void once(void) { getppid(); }
int main(void)
{
	usleep(1000000);
	for (int i = 0; i < 100; i++)
		once();
	return 0;
}
EOF
gcc -O1 -pthread -o from from.c && gcc -O1 -o to to.c || exit 77
for args in '' ' the-first'; do
	"$DTRACE" -Zqn 'pid$target:libc.so.6:getppid:entry, pid$target:to:once:entry
		{ @[probefunc] = count(); }
		END { printa("%s %@d\n", @); }' -c "./from$args" 2>err | sed '/^$/d' | sort
	sed 's/process [0-9]*/process N/' err
done
