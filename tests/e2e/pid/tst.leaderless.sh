# A process whose first thread has ended, and others have not, is traced as before: what it has
# mapped, also when that is asked for only then, what it loads, whom it forks, and its stacks.
# Others who execute the same file fire nothing.
# needs: gcc
cat >prog.c <<'EOF'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static const char *kind;
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
static void *run(void *arg)
{
	char c;
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
	if (!strcmp(kind, "other")) {
		run(NULL);
		return 0;
	}
	pthread_create(&t, NULL, run, NULL);
	if (!strcmp(kind, "later"))
		usleep(300000);
	pthread_exit(NULL);
}
EOF
echo 'int late(int i) { return i + 7; }' >late.c
gcc -O1 -pthread -o prog prog.c && gcc -O1 -shared -fPIC -o late.so late.c || exit 77

# trace KIND HOW... <D: what the program does waits until dtrace has nothing more to do
trace() {
	local kind=$1 how=${2:0:1} script=$(cat) i
	shift
	mkfifo in
	./prog "$kind" <in & local prog=$!
	exec 6>in
	rm in
	ended() { grep -q '^State:.Z' /proc/$prog/status; }
	[ "$kind" = later ] || until ended; do sleep 0.01; done
	"$DTRACE" -x usdtwait=stop "$@" -p $prog -Zqn "$script" >out 2>err & local pid=$!
	until_text out BEGIN
	until ended; do sleep 0.01; done
	./prog other <<<'    '
	sleep 0.3
	for ((i = 0; i < 2 + ${#how}; i++)); do
		echo >&6
		sleep 0.3
	done
	exec 6>&-
	wait $prog; echo "$kind exits with $?"
	wait $pid
	grep -v BEGIN out | sed "s,+0x.*,," | sort
	cat err
}
for kind in ends later; do
	trace $kind <<'EOF'
BEGIN { printf("BEGIN\n"); }
pid$target:prog:once:entry, pid$target:late.so:late:entry, pid$target:late.so:late:return
{ @[probefunc, probename] = count(); }
pid$target:late.so:late:entry /arg0 == 9/ { ustack(2); }
END { printa("%s %s %@d\n", @); }
EOF
done
trace forks -x follow <<'EOF'
BEGIN { printf("BEGIN\n"); }
pid$target:prog:once:entry, pid$target:late.so:late:entry
{ @[probefunc, pid == $target] = count(); }
END { printa("%s %d %@d\n", @); }
EOF
