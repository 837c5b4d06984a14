# Where no probe may stand: the other places are there, and -v tells and counts.
# needs: gcc
cat >p.c <<'END'
#include <stdio.h>
#define NOTE(name, nop) __asm__ volatile("990: " nop "\n" \
	".pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n.4byte 992f-991f,994f-993f,3\n" \
	"991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b\n.8byte 0\n.8byte 0\n" \
	".asciz \"far\"\n.asciz \"" name "\"\n.asciz \"\"\n994: .balign 4\n.popsection\n")
int main(void) {
	NOTE("good", "nop");
	NOTE("partly", "nop");
	NOTE("partly", ".byte 0x0f, 0x1f, 0x44, 0, 0");
	NOTE("never", ".byte 0x0f, 0x1f, 0x44, 0, 0");
	puts("ran");
}
END
[ "$(uname -m)" = x86_64 ] && gcc -o p p.c || exit 77
for d in '' never; do
	"$DTRACE" -v -o out$d -n 'far$target:::'$d'{ @[probename] = count(); }' -c ./p 2>&1 |
		grep 'matched\|warning' | sed 's/far[0-9][0-9]*:/farN:/g'
	awk 'NF == 2 && $2 ~ /^[0-9]+$/' out$d
done
