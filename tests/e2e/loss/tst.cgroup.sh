# How much memory there is says the memory cgroup of dtrace, too: sizes are lowered to what may
# be had there, and told; with manual they are refused.
for groups in /sys/fs/cgroup/memory /sys/fs/cgroup; do
	case $groups in */memory) limit=memory.limit_in_bytes ;; *) limit=memory.max ;; esac
	group=$groups/dtrace-test-$$
	[ -w $groups/cgroup.procs ] || continue
	[ $limit = memory.limit_in_bytes ] || echo +memory >$groups/cgroup.subtree_control
	mkdir $group && [ -w $group/$limit ] && break
	rmdir $group
done 2>/dev/null
[ -d "$group" ] || { echo 'no memory cgroup can be made here'; exit 77; }
echo 67108864 >$group/$limit
for how in auto manual; do
	sh -c 'echo $$ >'$group'/cgroup.procs; exec "$@"' - "$DTRACE" -x bufsize=64m \
		-x bufresize=$how -qn 'syscall::getppid:entry /pid == $target/ { trace("seen"); exit(0); }' \
		-c "$WORKLOAD getppid:1" 2>&1 | sed 's/[0-9]\+[mk]\b/SIZE/'
	echo
done
until rmdir $group; do sleep 0.1; done
