# A program does what it does, whatever is probed of it: exceptions, longjmp(), signals,
# threads, children, a look at its own stack.  Its own functions and libraries, entry
# and return.
# needs: g++ timeout
# timeout: 60
cat >p.cc <<'END'
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <execinfo.h>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#define KEPT extern "C" __attribute__((noinline, noclone))

static jmp_buf back;
static volatile int handled, sum;
static int turns = 25;	/* of a thread */

KEPT void thrower(int n) { if (n == 0) throw std::runtime_error("thrown"); thrower(n - 1); sum++; }
KEPT int catcher(int n)
{
	try { thrower(n); } catch (const std::exception &e) { return (int)strlen(e.what()); }
	return -1;
}
KEPT void jumper(int n) { if (n == 0) longjmp(back, 7); jumper(n - 1); sum++; }
KEPT int landing() { int r = setjmp(back); if (!r) jumper(5); return r; }
KEPT void handler(int) { handled++; }
KEPT int depth() { void *v[32]; int n = backtrace(v, 32); char **s = backtrace_symbols(v, n);
	int r = n > 2 && s && strstr(s[1], "deeper") != nullptr; free(s); return r; }
KEPT int deeper() { int r = depth(); sum += r; return r; }
KEPT void *thread(void *) { for (int i = 0; i < turns; i++) { catcher(2); handler(0); } return nullptr; }
KEPT int recurse(int n) { int r = n ? recurse(n - 1) : 0; handled += n > 9999; return r + 1; }

int main(int argc, char **argv)
{
	if (argc > 1)
		turns = atoi(argv[1]);
	signal(SIGUSR1, handler);
	for (int i = 0; i < 100; i++)
		raise(SIGUSR1);
	printf("exception %d\n", catcher(5));
	printf("longjmp %d\n", landing());
	printf("signals %d\n", handled);
	printf("backtrace %d\n", deeper());
	printf("deep %d\n", recurse(10000));
	pthread_t t[4];
	for (auto &x : t) pthread_create(&x, nullptr, thread, nullptr);
	for (auto &x : t) pthread_join(x, nullptr);
	fflush(stdout);
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();
		if (!child) { int r = catcher(3) == 6 && recurse(10) == 11; _exit(r ? 40 + i : 1); }
		int status;
		waitpid(child, &status, 0);
		printf("child %d\n", WEXITSTATUS(status));
	}
	std::string s(1000, 'x');
	printf("%zu\n", (s + s).size());
	return 3;
}
END
g++ -O2 -rdynamic -pthread -o p p.cc || exit 77
./p >plain
echo "plain: $?"
# What throws calls thousands of functions of its libraries each time.
while read -r what turns; do
	rm -f out
	"$DTRACE" -o out -n "pid\$target:${what}entry, pid\$target:${what}return { @[probename] = count(); }" -c "./p $turns" </dev/null >traced 2>err
	cmp traced plain || diff traced plain
	grep -o 'exited with status 3' err
	grep -v -e 'exited with status 3' -e matched -e 'was noticed in time' err
	awk '$1 == "entry" { print ($2 > 10) }' out
done <<'END'
a.out:: 1000
libstdc*:: 25
libgcc*:: 25
libc:: 25
END
# What is counted of it: frames that exceptions and longjmp() end do not return.
"$DTRACE" -qn 'pid$target:a.out:catcher:entry, pid$target:a.out:catcher:return,
	pid$target:a.out:thrower:entry, pid$target:a.out:thrower:return,
	pid$target:a.out:jumper:entry, pid$target:a.out:jumper:return,
	pid$target:a.out:recurse:entry, pid$target:a.out:recurse:return
	{ @[probefunc, probename] = count(); }' -c './p 1000' 2>/dev/null | awk 'NF == 3' | sort
