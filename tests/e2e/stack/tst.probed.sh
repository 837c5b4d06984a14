# A process whose functions are probed has the same stacks: those of a function's first
# instruction are those of the system call that it makes.
[ "$(uname -m)" = x86_64 ] || { echo "functions are probed on x86-64"; exit 77; }
"$DTRACE" -q -x ustackframes=100 -x noresolve -o traced -n '
	pid$target:libc.so.6:getppid:entry { printf("at"); ustack(); printf("\n"); }
	syscall::getppid:entry /pid == $target/ { printf("in"); ustack(); printf("\n"); }' \
	-c "${WORKLOAD%/*}/unwound" >/dev/null
awk '/^at|^in/ { kind = $1; n = 0; stacks[kind]++; next }
	/0x/ && n++ { frames[kind] = frames[kind] " " $1 }
	END { print stacks["at"], stacks["in"], (length(frames["at"]) > 1000), (frames["at"] == frames["in"]) }' traced
