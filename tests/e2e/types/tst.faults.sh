# needs: cc
# What points to nothing is a fault that is named, as copyin's is; an address of the
# kernel in a pointer into the process is one, too.
cc -g -O1 -o shapes "$HERE/shapes.c"
try() {
	"$DTRACE" -qn 'syscall::write:entry /pid == $target && arg2 == 5/ { trace('"$1"'); }
		ERROR { printf("%d %x\n", arg4 == DTRACEFLT_BADADDR, arg5); }' \
		-c ./shapes 2>/dev/null
}
try 'a.out`nowhere->value'
try 'stringof(a.out`nowhere->name)'
try '*a.out`nowhere'
try 'a.out`nowhere->next->next'
# thread_info is where the kernel can read
"$DTRACE" -qn 'syscall::write:entry /pid == $target && arg2 == 5/ {
	trace(((struct item *)curthread)->value); }
	ERROR { printf("%d\n", arg4 == DTRACEFLT_BADADDR); }' -c ./shapes 2>/dev/null
