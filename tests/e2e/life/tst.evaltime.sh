# What a command does before the point of evaltime is not traced: its execve(),
# the initialiser of a library (getsid), its own (getpgid), main() (getppid).
dir=$(dirname "$WORKLOAD")
for program in points points-stripped points-fixed points-static; do
	for point in exec preinit postinit main; do
		"$DTRACE" -q -x evaltime=$point -n '
			syscall::execve:entry, syscall::getsid:entry,
			syscall::getpgid:entry, syscall::getppid:entry
			/pid == $target/
			{
				printf(" %s", probefunc);
			}' -c "$dir/$program" | tr -d '\n' |
			sed "s/^/$program $point:/"
		echo
	done
done
