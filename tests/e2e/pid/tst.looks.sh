# needs: gcc
# Where an entry probe stands depends on which arguments are looked at: each is what the
# caller gave, also those that the function writes at once.
[ "$(uname -m)" = x86_64 ] || { echo "code of x86-64"; exit 77; }
cat >f.c <<'END'
__asm__(".text\n.globl f\n.type f,@function\n"
	"f: xor %edx,%edx\n\tmov %edi,%ecx\n\tpush %rbx\n\tmov $7,%esi\n\t"
	"pop %rbx\n\tret\n.size f,.-f");
long f(long, long, long, long);
int main(void) { for (long i = 0; i < 50; i++) f(1, 2, 3, 4); }
END
gcc -o f f.c
for n in 0 1 2 3; do
	"$DTRACE" -qn 'pid$target:a.out:f:entry { @[arg'$n'] = count(); }' -c ./f
done
# All at once, and through a variable, a function and a pointer.
"$DTRACE" -qn 'self int two; int plus(int a) { return a + 1; }
	pid$target:a.out:f:entry { @[arg3, plus(arg2)] = count(); }
	pid$target:a.out:f:entry { self->two = arg1; }
	pid$target:a.out:f:entry { @two = sum(self->two); }' -c ./f
