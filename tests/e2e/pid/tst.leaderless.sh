# A process whose first thread has ended, and others have not, is traced as before: what it has
# mapped, also when that is asked for only then, what it loads, whom it forks, and its stacks.
# Others who execute the same file fire nothing.
# needs: gcc
cat >prog.c <<'EOF'
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static const char *kind;
static atomic_int begun;
__attribute__((noinline)) void once(int i) { __asm__ volatile("" :: "r"(i)); }
static int loads(void)
{
	void *h = dlopen("./late.so", RTLD_NOW);
	int (*late)(int) = h ? (int (*)(int))dlsym(h, "late") : NULL;
	char c;
	if (!late || read(0, &c, 1) != 1)
		return 1;
	for (int i = 0; i < 10; i++)
		late(i);
	return 0;
}
/* Call, until something comes: that is seen once what is traced is traced anew. */
static void *run(void *arg)
{
	char c;
	while (!begun)
		usleep(1000);
	if (read(0, &c, 1) != 1)
		exit(1);
	while (!poll(&(struct pollfd){ 0, POLLIN }, 1, 1))
		once(-1);
	if (read(0, &c, 1) != 1)
		exit(1);
	for (int i = 0; i < 100; i++)
		once(i);
	int bad = loads();
	if (!strcmp(kind, "forks")) {
		pid_t kid = fork();
		if (!kid)
			_exit(loads());
		waitpid(kid, &bad, 0);
	}
	exit(bad);
}
int main(int n, char **args)
{
	pthread_t t;
	kind = args[1];
	char c;
	if (!strcmp(kind, "other")) {
		begun = 1;
		run(NULL);
		return 0;
	}
	pthread_create(&t, NULL, run, NULL);
	if (!strcmp(kind, "later") && read(0, &c, 1) != 1)
		return 1;
	begun = 1;
	pthread_exit(NULL);
}
EOF
echo 'int late(int i) { return i + 7; }' >late.c
gcc -O1 -pthread -o prog prog.c && gcc -O1 -shared -fPIC -o late.so late.c || exit 77

# trace KIND HOW... <D
trace() {
	local kind=$1 how=${2:0:1} script=$(cat) i
	shift
	mkfifo in
	./prog "$kind" <in & local prog=$!
	exec 6>in
	rm in
	ended() {
		for ((i = 0; i < tries; i++)); do
			! grep -q '^State:.Z' /proc/$prog/status || return 0
			sleep 0.1
		done
		echo "the first thread has not ended"
	}
	[ "$kind" = later ] || ended
	"$DTRACE" -x usdtwait=stop -x switchrate=50hz "$@" -p $prog -Zqn "$script
		pid\$target:prog:once:entry /(int)arg0 < 0 && !seen/ { seen = 1; printf(\"SEEN\n\"); }" \
		>out 2>err & local pid=$!
	until_text out BEGIN
	[ "$kind" != later ] || echo >&6
	ended
	./prog other <<<'    '
	echo >&6
	until_text out SEEN
	# calls, and loads; there, and in its child, it waits for its probes by itself
	for ((i = 0; i < 2 + ${#how}; i++)); do echo >&6; done
	exec 6>&-
	wait $prog; echo "$kind exits with $?"
	wait $pid
	grep -vE 'BEGIN|SEEN' out | sed "s,+0x.*,," | sort
	cat err
}
for kind in ends later; do
	trace $kind <<'EOF'
BEGIN { printf("BEGIN\n"); }
pid$target:prog:once:entry, pid$target:late.so:late:entry, pid$target:late.so:late:return
/probefunc != "once" || (int)arg0 >= 0/ { @[probefunc, probename] = count(); }
pid$target:late.so:late:entry /arg0 == 9/ { ustack(2); }
END { printa("%s %s %@d\n", @); }
EOF
done
trace forks -x follow <<'EOF'
BEGIN { printf("BEGIN\n"); }
pid$target:prog:once:entry, pid$target:late.so:late:entry
/probefunc != "once" || (int)arg0 >= 0/ { @[probefunc, pid == $target] = count(); }
END { printa("%s %d %@d\n", @); }
EOF
