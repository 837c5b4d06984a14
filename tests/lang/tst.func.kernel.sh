# What a function asks of the kernel, and nothing else in the program does.
run() {
	"$DTRACE" -qn "static int64_t f(int64_t a) { $1 } BEGIN { trace(f(0)); exit(0); }"
}
run 'return mutex_owned((struct mutex *)curthread);'
run 'this->o = mutex_type_adaptive((struct mutex *)curthread); return this->o;'
run 'if (!a) { return progenyof(pid); } return 0;'
run 'return strlen(execname) + strlen(cwd) > 0;'
run 'return ppid > 0 && uid == 0 && vtimestamp >= 0 && arg9 == 0;'
run 'return tid == pid && stackdepth > 0;'
