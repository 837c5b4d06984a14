# Of a CPU on which dtrace itself may not run: what is not of any CPU fires.
set=/sys/fs/cgroup/cpuset
[ -w $set/tasks ] && [ "$(nproc)" -gt 1 ] || {
	echo 'needs two CPUs and cgroups of the first version, to keep off one'
	exit 77
}
set=$set/$$
mkdir $set
trap 'rmdir $set' EXIT
read -r near away < <(python3 -c '
import os
cpus = os.sched_getaffinity(0)
print(min(cpus), max(cpus))')
cat $set/../cpuset.mems >$set/cpuset.mems
echo "$near" >$set/cpuset.cpus
(
	echo $BASHPID >$set/tasks
	exec "$DTRACE" -q -x cpu="$away" -n '
		BEGIN, END, tick-20ms { @[probename, cpu == $1] = min(1); }
		profile-997 { @["profile", cpu == $1] = min(1); ++fired; }
		tick-20ms /fired/ { exit(0); }' "$away"
) | tr -s ' '
