# The registers that a system call was made with.
cat >x86_64.d <<'D'
syscall::getpriority:entry
/pid == $target/
{
	printf("%d %d %d\n", uregs[R_RDI], uregs[R_RSI], uregs[R_ERR] == 140);
	/* The instruction pointer is behind the instruction `syscall`. */
	this->code = (uint8_t *)copyin(uregs[R_PC] - 2, 2);
	printf("%d\n", this->code[0] == 0x0f && this->code[1] == 0x05);
	printf("%d %d\n", uregs[R_SP] > uregs[R_PC] &&
	    uregs[R_UESP] == uregs[R_SP], uregs[R_CS] & 3);
	printf("%d\n", uregs[R_PC] == uregs[R_RIP] &&
	    uregs[R_RCX] == uregs[R_RIP]);
}
D
cat >aarch64.d <<'D'
syscall::getpriority:entry
/pid == $target/
{
	printf("%d %d %d\n", uregs[R_X0], uregs[R_X1], uregs[R_X8] == 141 &&
	    uregs[R_SYSCALLNO] == 141 && uregs[R_ORIG_X0] == uregs[R_X0]);
	/* The instruction before is `svc #0`. */
	this->code = (uint32_t *)copyin(uregs[R_PC] - 4, 4);
	printf("%d\n", *this->code == 0xd4000001);
	/* EL0, which has no number of its own */
	printf("%d %d\n", uregs[R_SP] > uregs[R_PC], 3 - (uregs[R_PSTATE] & 15));
	printf("%d\n", uregs[R_LR] == uregs[R_X30] && uregs[R_FP] >= uregs[R_SP]);
}
D
[[ -f $(uname -m).d ]] || exit 77
python=$(python3 -c 'import sys; print(sys.executable)')
"$DTRACE" -qs "$(uname -m).d" -c "$python -S -I -c 'import os; os.getpriority(0, 1)'"
