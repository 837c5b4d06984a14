# mangled shows the linker's names, noresolve none of processes, and
# stacksymbols=off none at all.
for o in mangled noresolve stacksymbols=off; do
	echo "$o"
	"$DTRACE" -q -x $o -x ustackframes=2 -x stackindent=1 -n 'syscall::getppid:entry
		/pid == $target/ { ustack(); umod(ucaller); mod(caller); }' \
		-c "${WORKLOAD%/*}/stacks"
done
