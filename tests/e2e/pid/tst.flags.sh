# Programs that look at the processor's flags, or set them: the one by which the kernel
# steps over an instruction is not seen, and kills nobody.
# needs: gcc
[ "$(uname -m)" = x86_64 ] || { echo 'not of x86-64'; exit 77; }
cat >prog.c <<'EOF'
#include <stdio.h>
#define BARE __attribute__((noinline, noclone, naked))
BARE long looks(void) { __asm__("pushfq; pop %rax; and $0x100, %eax; ret"); }
BARE long keeps(void) { __asm__("nop; pushfq; xor %eax, %eax; popfq; ret"); }
BARE long stack(void) { __asm__("mov %ss, %eax; mov %eax, %ss; mov $7, %eax; ret"); }
int main(void)
{
	long sum = 0;
	for (int i = 0; i < 50; i++)
		sum += looks() + keeps() + stack();
	printf("%ld\n", sum);
	return 0;
}
EOF
gcc -O1 -o prog prog.c
for function in looks keeps stack; do
	"$DTRACE" -qn "pid\$target:a.out:$function: { @[probename] = count(); }" -c ./prog |
		awk -v f=$function 'NF { print f, $0 }' | sort
done | tr -s ' '
