# ustack() of programs without frame pointers shows every caller that the
# compiler's own runtime finds, from wherever it is asked.
# timeout: 60
for program in unwound unwound-stripped unwound-static; do
	rm -f traced
	"$DTRACE" -q -x ustackframes=100 -x noresolve -o traced -n '
		syscall::getppid:entry /pid == $target/ {
			printf("stack"); ustack(); printf("\n"); }' \
		-c "${WORKLOAD%/*}/$program $((300 * ${E2E_SLOW:-1}))" >told || exit 1
	python3 "$HERE/unwound.py" "$program" told traced || exit 1
done
