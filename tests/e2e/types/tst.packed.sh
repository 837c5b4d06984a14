# A bit-field at the end of a packed struct that ends where the memory of the process does.
# needs: gcc
cat >tail.c <<'END'
#include <sys/mman.h>
#include <unistd.h>
struct tail { unsigned a : 3, b : 20; long c : 33; } __attribute__((packed));
int main(void)
{
	long page = sysconf(_SC_PAGESIZE);
	char *two = mmap(0, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct tail *last = (struct tail *)(two + page) - 1;
	if (two == MAP_FAILED || munmap(two + page, page))
		return 1;
	*last = (struct tail){ 5, 0xabcde, -3000000000 };
	write(-1, last, 7);
	return 0;
}
END
gcc -g -o tail tail.c || exit 77
"$DTRACE" -qn 'syscall::write:entry /pid == $target/ { this->t = (struct tail *)arg1;
	printf("%d %x %d\n", this->t->a, this->t->b, this->t->c); print(*this->t); }' -c ./tail
