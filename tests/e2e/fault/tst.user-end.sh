# What fills its limit where readable memory ends is whole; one byte more is a fault.  A
# NUL that is the last byte of all ends a string, too.
show() {	# EXPRESSION OPERATION...
	"$DTRACE" -x strsize=32 -qn 'syscall::write:entry
	/pid == $target && arg2 < 100/ {
		at = arg1;
		printf("%3d %s\n", arg2, '"$1"');
	}
	ERROR { printf("fault %d, the address is %s\n", arg4,
	    arg5 == at ? "right" : "wrong"); }' -c "$WORKLOAD ${*:2}" 2>err | grep .
	grep -v 'invalid address (0x\|^hint: memory\|^$' err || true
}
echo strsize
show 'copyinstr(arg1)' writeend:1:{30,31,32,33} writenul:1:{1,31,32,33}
echo limit
show 'copyinstr(arg1, 8)' writeend:1:{7,8,9} writenul:1:{1,8,9}
echo exact
show 'copyinstr(arg1, arg2)' writeend:1:{1,2,31,32}
echo copyin
show 'stringof(copyin(arg1, arg2))' writeend:1:{2,31,32}
show 'stringof(copyin(arg1, arg2 + 1))' writeend:1:2
echo copyinto
show '(copyinto(arg1, arg2, this->p = alloca(32)), stringof(this->p))' \
	writeend:1:{2,31}
show '(copyinto(arg1, arg2 + 1, this->p = alloca(32)), stringof(this->p))' \
	writeend:1:2
