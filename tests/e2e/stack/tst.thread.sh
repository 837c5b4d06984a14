# A thread ends where it began: what lies behind the first frame of its stack, which may be
# an address of data, is no caller.
# needs: gcc
cat >t.c <<'END'
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
static void *f(void *x) { getppid(); return x; }
int main(void)
{
	size_t size = 1 << 20;
	for (int i = 0; i < 20; i++) {
		uintptr_t *stack = mmap(0, size, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		for (size_t k = 0; k < size / sizeof(*stack); k++)
			stack[k] = (uintptr_t)&stack[100];
		pthread_attr_t a;
		pthread_attr_init(&a);
		pthread_attr_setstack(&a, stack, size);
		pthread_t t;
		if (pthread_create(&t, &a, f, 0))
			return 1;
		pthread_join(t, 0);
	}
	return 0;
}
END
gcc -O2 -o t t.c -lpthread || exit 77
"$DTRACE" -qn 'proc:::lwp-start /pid == $target/ { @["start", ustack()] = count(); }
	syscall::getppid:entry /pid == $target/ { @["in it", ustack()] = count(); }' -c ./t |
	sed 's/+0x[0-9a-f]*//; s/^ *//; s/[a-z_0-9]*clone[0-9]*/clone/; s/`_*getppid/`getppid/' | sed 's/ *$//' | grep .
