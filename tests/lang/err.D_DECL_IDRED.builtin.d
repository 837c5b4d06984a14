/* Pid is taken. */
int pid;
