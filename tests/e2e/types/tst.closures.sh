# needs: rustc
# Closures of Rust: what they have captured is their first argument, which their debugging
# information leaves out.  Where it is not passed by reference, what follows it is not typed;
# nor is anything where an optimizer may have passed something else.
rustc -g -A warnings -o closures "$HERE/closures.rs"
"$DTRACE" -qn 'pid$target:a.out:closures??by_ref??*closure*:entry {
	printf("by_ref %d %d\n", *args[0]->_ref__k, args[1]); }
	pid$target:a.out:closures??by_value??*closure*:entry {
	printf("by_value %d %d\n", args[0]->k, args[1]); }
	pid$target:a.out:closures??nothing??*closure*:entry {
	printf("nothing %d %d\n", sizeof(*args[0]), args[1]); }
	pid$target:a.out:closures??owns??*closure*:entry {
	printf("owns %s %d\n", copyinstr((uintptr_t)args[0]->text.vec.buf.inner.ptr.pointer.pointer,
	    args[0]->text.vec.len), args[1]); }
	pid$target:a.out:closures??two??*closure*:entry { printf("two %d %d\n", arg1, arg2); }
	pid$target:a.out:closures??shop??Till??ring??*closure*:entry { print(*args[0]);
	printf("ring %d %d\n", *args[0]->_ref__tax, args[1]); }' -c ./closures |
	sed 's/0x[0-9a-f]\{6,\}/ADDR/'
types() {
	"$DTRACE" -lvn "pid\$target:a.out:closures??$1??*closure*:entry" -c ./closures |
		sed -n 's/^\t*\(args\[.*\|None\)/\1/p'
}
types two
types pattern
types boxed
rustc -g -O -A warnings -o closures "$HERE/closures.rs"
types boxed

# What the places of variables and parameters tell there.
rustc -g -O -A warnings -o optimized "$HERE/optimized.rs"
"$DTRACE" -qn 'pid$target:a.out:optimized??value??*closure*:entry {
	printf("value %d %d %d\n", args[0]->k, args[1], *args[2]); }
	pid$target:a.out:optimized??refs??*closure*:entry {
	printf("refs %d %d\n", args[1], *args[2]); }
	pid$target:a.out:optimized??first??*closure*:entry {
	printf("first %d %d\n", args[0]->k, args[1]); }
	pid$target:a.out:optimized??second??*closure*:entry {
	printf("second %d %d\n", args[0]->k, *args[2]); }' -c ./optimized
"$DTRACE" -lvn 'pid$target:a.out:optimized??first??*closure*:entry,
	pid$target:a.out:optimized??refs??*closure*:entry' -c ./optimized |
	sed -n 's/^\t*\(args\[.*\|None\)/\1/p'
