# 32-bit calls have their arguments in other registers, of which only the lower
# halves count, and results of their own; the 64-bit calls of the same numbers
# (20 writev, 4 stat, 5 fstat) do not fire.
with_32_bit_calls
"$DTRACE" -q -n '
int64_t last;

syscall::getpid:entry, syscall::writev:entry, syscall::*stat:entry
/pid == $target/
{
	@[probefunc] = count();
}

syscall::getpid:return
/pid == $target/
{
	printf("getpid %s\n", arg0 == pid && errno == 0 ? "right" : "wrong");
}

syscall::write:entry
/pid == $target/
{
	printf("%s %d %d fd %d%s", probefunc, arg2, args[2],
	    arg0, last == 0 || last == arg1 ? "" : ", another buffer");
	last = arg1;
}

syscall::write:return
/pid == $target/
{
	printf(" = %d\n", arg1);
}

syscall::open:entry
/pid == $target/
{
	printf("open %s %d", copyinstr(arg0), arg1);
}

syscall::open:return
/pid == $target/
{
	printf(" = %d errno %d\n", arg0, errno);
}

END
{
	printa("%s %@d\n", @);
}' -c "$WORKLOAD getpid32:1 write32:1:5 write:1:6 write32:1:7 open32:1"
