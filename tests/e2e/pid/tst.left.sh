# Where no probe may stand: the others are there, and -v tells.
# needs: gcc
cat >p.c <<'END'
#include <stdio.h>
__asm__(".globl bad\n.type bad, %function\nbad: lock incl count(%rip)\nret\n.size bad, . - bad\n");
int count;
void bad(void);
__attribute__((noinline, noclone)) void badly(void) { bad(); count++; }
int main(void) { for (int i = 0; i < 10; i++) badly(); printf("%d\n", count); }
END
[ "$(uname -m)" = x86_64 ] && gcc -O1 -o p p.c || exit 77
"$DTRACE" -v -o out -n 'pid$target:a.out:bad*:entry { @[probefunc] = sum(arg0 || 1); }' -c ./p 2>&1 |
	grep -v matched | sed 's/pid[0-9][0-9]*:/pidN:/; s/pid [0-9]*/pid N/'
awk '$1 ~ /bad/' out
