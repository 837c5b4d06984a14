# timeout: 60
# needs: strace
# A system call that fails is an error, or does not matter; nothing waits for what
# it should have brought about.  124: it had to be ended.
inject() {	# NAME WHAT ARGUMENT...
	ASAN_OPTIONS=detect_leaks=0 timeout -k 2 15 strace -qq -o $1.trace -e inject="$2" "$DTRACE" -q "${@:3}" \
		</dev/null >$1.out 2>$1.err
}
command=(-n 'syscall::write:entry /pid == $target/ { n++; } tick-1hour { n++; }'
	-c "$WORKLOAD write:10")
for what in kill:error=EPERM kill:error=EPERM:when={1,2} poll:error=EINVAL; do
	inject kill $what "${command[@]}"
	echo "$what $?: $(cat kill.err)"
	# What could not be told to end has ended with us.
	child=$(awk '/ kill\(/ { sub(/.*kill\(/, ""); print $0 + 0; exit }' kill.trace)
	[ -z "$child" ] || gone $child
done
inject main kill:error=EPERM:when=2 -x evaltime=main "${command[@]}"
echo "debugged $?: $(cat main.err)"
# That it stops is not so, though the call says so.
inject liar kill:retval=0:when=1 "${command[@]}"
echo "liar $?: $(cat liar.err)"
# Some of these mean the end to the C library.
for i in {1..8}; do
	{
		inject futex$i futex:error=EINVAL:when=$i -n 'BEGIN { exit(0); } tick-1hour { }'
		case $? in 0 | 134) ;; *) echo "futex $i: $?" ;; esac
	} &
done
wait
