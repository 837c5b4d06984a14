# A sector that cannot be read: errno and the bytes that were not moved, at done; and
# nothing of it when the request is used again.
# timeout: 60
[ "$E2E_BAD_SECTOR" ] || { echo "no disk of its own"; exit 77; }
"$DTRACE" -qn 'io:::start /args[0]->b_bcount/ { start[arg0] = 1; }
	io:::done /start[arg0]/ {
	printf("%d %s %d %d\n", args[0]->b_bcount,
	    args[0]->b_flags & B_ERROR ? "error" : "well", args[0]->b_error,
	    args[0]->b_resid); start[arg0] = 0; }' -c "bash -c '
	for i in 1 2 3; do
		dd if=$E2E_DISK of=/dev/null count=1 iflag=direct status=none
		dd if=$E2E_DISK of=/dev/null count=1 iflag=direct status=none \
			skip=$E2E_BAD_SECTOR
	done'" 2>err
grep -c 'Input/output error' err
