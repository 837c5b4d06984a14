# The registers that a system call was made with.
cat >regs.d <<'D'
syscall::getpriority:entry
/pid == $target/
{
	printf("%d %d %d\n", uregs[R_RDI], uregs[R_RSI], uregs[R_ERR]);
	/* The instruction pointer is behind the instruction `syscall`. */
	this->code = (uint8_t *)copyin(uregs[R_PC] - 2, 2);
	printf("%x %x\n", this->code[0], this->code[1]);
	printf("%d %d\n", uregs[R_SP] > uregs[R_PC], uregs[R_CS] & 3);
	printf("%d\n", uregs[R_PC] == uregs[R_RIP] &&
	    uregs[R_RCX] == uregs[R_RIP]);
}
D
[[ $(uname -m) == x86_64 ]] || exit 77
python=$(python3 -c 'import sys; print(sys.executable)')
"$DTRACE" -qs regs.d -c "$python -S -I -c 'import os; os.getpriority(0, 1)'"
exit 0
