# needs: unshare
# A kernel without type information, or with something else in its place: what
# needs none works, and of what does the reason is told.
try() {
	timeout 10 "$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/ { @ = count(); @n[execname] = count(); }' \
		-c "$WORKLOAD getppid:3" 2>&1
	timeout 10 "$DTRACE" -q -n 'BEGIN { trace(curthread->pid); }' 2>&1 | tail -n 1
	timeout 10 "$DTRACE" -q -n 'BEGIN { this->x = sizeof (struct task_struct); }' 2>&1 | tail -n 1
}
export -f try
: >empty
head -c 100000 /dev/zero >zeros
head -c 1000000 /sys/kernel/btf/vmlinux >short
unshare -m bash -c 'mount -t tmpfs none /sys/kernel/btf && try'
for file in empty zeros short; do
	unshare -m bash -c "mount --bind $file /sys/kernel/btf/vmlinux && try"
done
