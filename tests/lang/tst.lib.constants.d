/* Names of numbers that come with dtrace. */
#pragma D option quiet

BEGIN
{
	printf("signals %d %d %d %d %d\n", SIGHUP, SIGINT, SIGKILL, SIGSEGV,
	    SIGCHLD);
	printf("errno %d %d %d %d %d\n", EPERM, ENOENT, EINTR, EAGAIN,
	    ETIMEDOUT);
	printf("open %d %d %d %o %o\n", O_RDONLY, O_WRONLY, O_RDWR, O_CREAT,
	    O_CLOEXEC);
	printf("ended %d %d %d\n", CLD_EXITED, CLD_KILLED, CLD_DUMPED);
	printf("registers %d %d %d %d %d\n", R_RAX, R_RDI, R_PC, R_SP, R_FP);
	printf("states %d %d %d\n", SSLEEP, SRUN, SONPROC);
	printf("buffers %d %d\n", B_READ, B_WRITE);
	printf("tcp %d %d %s\n", TCP_STATE_LISTEN, TH_SYN | TH_ACK,
	    tcp_state_string[TCP_STATE_LISTEN]);
	exit(0);
}
