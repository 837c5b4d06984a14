# Instructions by their addresses in the object, as its tools tell them: of a program that
# is loaded anywhere, of one that is not, and of one without symbols.
# needs: gcc objdump nm
cat >p.c <<'EOF'
#include <stdio.h>
volatile int sink;
__attribute__((noinline)) int work(int n) { sink += n; return sink * 3; }
int main(void) { for (int i = 0; i < 5; i++) work(i); return 0; }
EOF
# the second instruction of a function
second() {
	objdump -dw --disassemble=work "$1" |
		awk '/^ *[0-9a-f]+:\t/ { sub(":", "", $1); print $1 }' | sed -n 2p
}
count() {
	"$DTRACE" -qn "$1 { @[probefunc, probename == \"$2\"] = count(); }" -c "$3" |
		awk 'NF { print $1, $2, $3 }'
}
for how in -pie -no-pie; do
	gcc -O1 $how $([ $how = -pie ] && echo -fPIE) -o p p.c || exit 77
	at=$(second p)
	count "pid\$target:a.out:-:$at" "$at" ./p
done
# What has a probe by its offset has another one by its address.
off=$(printf %x $((0x$at - 0x$(nm p | awk '$3 == "work" { print $1 }'))))
"$DTRACE" -qn "pid\$target:a.out:work:$off, pid\$target:a.out:-:$at { @[probefunc] = count(); }" \
	-c ./p | awk 'NF { print $1, $2 }' | sort
"$DTRACE" -ln "pid\$target:a.out:-:$at" -c ./p | awk 'NR > 1 { print $3, $4 }'
strip -o bare p
count "pid\$target:a.out:-:$at" "$at" ./bare
try() {
	"$DTRACE" -xerrtags -qn "$1" -c ./p 2>&1 |
		sed -n 's/.*\(\[D_[^ ]* \)[^ ]* [^ ]* [^ ]* /\1/p' | sed 's/[0-9a-f]\{6\}/ADDR/g'
}
try "pid\$target:a.out:-:$(printf %x $((0x$at - 0x$off + 1)))"
try 'pid$target:a.out:-:1'
try 'pid$target:a.out:-:entry'
try 'pid$target:nosuch:-:1' | sed 's/process [0-9]*.*//'
