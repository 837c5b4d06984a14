# A program that another thread than the first executes: what was there before, in a library
# that both have, goes on, and nothing fires twice.
# needs: gcc
cat >from.c <<'EOF'
#include <pthread.h>
#include <string.h>
#include <unistd.h>
static void *run(void *args) { execv("./to", args); return NULL; }
static void *run_later(void *args) { usleep(100000); return run(args); }
int main(int n, char **args)
{
	pthread_t t;
	usleep(100000);
	for (int i = 0; i < 10; i++)
		getppid();
	if (!strcmp(args[1], "first"))
		run(args);
	/* The first thread may have ended before. */
	if (!strcmp(args[1], "leaderless")) {
		pthread_create(&t, NULL, run_later, args);
		pthread_exit(NULL);
	}
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
	for (int i = 0; i < 100; i++)
		once();
	return 0;
}
EOF
gcc -O1 -pthread -o from from.c && gcc -O1 -o to to.c || exit 77
for args in first other leaderless; do
	"$DTRACE" -x usdtwait=stop -Zqn '
		pid$target:libc.so.6:getppid:entry, pid$target:libc.so.6:getppid:return,
		pid$target:to:once:entry { @[probefunc, probename] = count(); }
		END { printa("%s %s %@d\n", @); }' -c "./from $args" 2>err | sed '/^$/d' | sort
	cat err
done
