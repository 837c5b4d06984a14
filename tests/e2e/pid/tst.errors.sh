# What a description names that is not there, and what is near; offsets.
# needs: objdump nm
called=$(dirname "$WORKLOAD")/called
try() {
	"$DTRACE" -xerrtags -qn "$1 { printf(\"%s\\n\", probename); }" -c "$called leaf ten" 2>&1 |
		sed -n 's/.*\(\[D_[^ ]* \)[^ ]* [^ ]* [^ ]* /\1/p' | sed 's/process [0-9]*/process N/g'
}
try 'pid$target:nosuch:main:entry' | sed 's/ (.*//'
try 'pid$target:libd:main:entry' | grep -c libc.so.6
try 'pid$target:a.out:laef:entry'
try 'pid$target::laef:entry' | sed 's/; near.*//'
try 'pid$target:libc:time:entry'
try 'pid$target:a.out:leaf:enter'
try 'pid$target:a.out:leaf:main'
try 'pid$target:a.out:leaf:-1'
try 'pid$target:a.out:leaf:1'
try 'pid$target:a.out:leaf:fff' | sed 's/has [0-9a-f]* bytes/has N bytes/'
try 'pid999999999:a.out:main:entry'
try 'pid0:a.out:main:entry'
# With -Z what is not there may come.
"$DTRACE" -Zqn 'pid$target:nosuch:main:entry { } BEGIN { printf("traced\n"); }' -c "$called leaf"
# Instructions, by offset: the second of leaf().
objdump -dw --disassemble=leaf "$called" | awk '/^ *[0-9a-f]+:\t/ { sub(":", "", $1); print $1 }' >at
start=$(nm "$called" | awk '$3 == "leaf" { print $1 }')
second=$(printf %x $((0x$(sed -n 2p at) - 0x$start)))
"$DTRACE" -qn 'pid$target:a.out:leaf:'$second' { printf("%d\n", probename == "'$second'"); }' -c "$called leaf:2"
# The same, where the function is a pattern.
"$DTRACE" -qn 'pid$target:a.out:lea[f]:'$second' { printf("%s\n", probefunc); }' -c "$called leaf:1"
# All of them, with an empty name: one more for the entry, one for the return.
"$DTRACE" -ln 'pid$target:a.out:leaf:' -c "$called leaf" | tail -n +2 | wc -l >n
echo $(($(cat n) - $(wc -l <at)))
# but not of a pattern.
"$DTRACE" -ln 'pid$target:a.out:lea[f]:' -c "$called leaf" | awk 'NR > 1 { print $5 }'
