# Variables have names, too, also when the process is gone; what is on the stack
# or in a stripped file has none.
stacks=${WORKLOAD%/*}/stacks
for prog in stacks stacks-fixed stacks-stripped; do
	"$DTRACE" -q -n 'syscall::write:entry /pid == $target && (int)arg0 == -1/ {
		printf("%A|%s|%s\n", arg1, usym(arg1), umod(arg1));
		@[umod(arg1)] = count(); }' -c "${stacks%stacks}$prog data"
done
