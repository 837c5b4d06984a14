# Where functions lie in files, and what they are called: a program that moves
# and one that does not, a library, a child; all are gone when the aggregation
# is printed.
stacks=${WORKLOAD%/*}/stacks
for run in stacks:plain stacks-fixed:plain stacks:library stacks:fork; do
	echo "$run"
	"$DTRACE" -q -n 'syscall::getppid:entry
		/execname == $$1 && (pid == $target || ppid == $target)/
		{ @[ustack(4)] = count(); }' -c "${stacks%stacks}${run%:*} ${run#*:}" "${run%:*}"
done
