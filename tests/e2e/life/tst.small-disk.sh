# needs: unshare
# A disk that fills up while tracing: a file system of 64 KiB that only this
# test sees.  The trace ends and says why, wherever its output goes; of one that is saved
# what found room can be read.
bpf_before
cat >fill <<'EOF'
mkdir small && mount -t tmpfs -o size=64k none small
trace() {
	local begin=$1
	shift
	timeout 20 "$DTRACE" -qw -x switchrate=100hz "$@" -n "BEGIN { $begin }
		syscall::getppid:entry /pid == \$target/ { printf(\"%64d\n\", arg0); }" \
		-c "$WORKLOAD getppid:20000" >out
	echo "status $?"
	rm -f small/file
}
trace '' -o small/file
trace 'freopen("small/file");'
for format in json jsonl html perfetto; do
	trace '' -x oformat=$format -o small/file
done
"$DTRACE" -q -x save=small/file -x switchrate=100hz \
	-n 'syscall::getppid:entry /pid == $target/ { printf("%64d\n", 1); }' \
	-c "$WORKLOAD getppid:20000" >out
echo "status $?"
"$DTRACE" -qr small/file >again
grep -c '^ *1$' again | awk '{ print ($1 > 100) }'
EOF
unshare -m bash fill 2>err
sort err | uniq -c | sed 's/^ *//'
bpf_after
