# Who waits for a disk: what fsync asks of a raw one.
# timeout: 60
[ "$E2E_DISK" ] || { echo "no disk of its own"; exit 77; }
"$DTRACE" -ln 'io:::wait-*' | grep -q wait || { echo "no functions here"; exit 77; }
"$DTRACE" -qn 'io:::wait-start /pid == $target/ { at = arg0; }
	io:::wait-start, io:::wait-done /pid == $target/ {
	printf("%s: %d %s %d %s %s\n", probename, arg0 == at,
	    args[0]->b_flags & B_WRITE ? "write" : "read", args[0]->b_bcount,
	    args[1]->dev_pathname, args[2]->fi_pathname); }' -c "dd if=/dev/zero of=$E2E_DISK
	bs=4k count=1 conv=fsync status=none" | sed "s,$E2E_DISK,DISK,"
