# The elements of variables are made at the start if they are few (map_flags 0), and as they
# come if dynvarsize asks for many (0x1: BPF_F_NO_PREALLOC); nothing else is seen of it.
# A descriptor may be gone when it is looked at.
case $(uname -r) in 5.*|6.0.*) echo "all hashes are preallocated before Linux 6.1"; exit 77;; esac
cat >maps <<'EOF'
for f in /proc/$1/fdinfo/*; do
	grep -qs "^map_type:[[:space:]]*1$" $f && grep -qs "^key_size:[[:space:]]*40$" $f &&
		sed -n 's/^map_flags:[[:space:]]*//p' $f 2>/dev/null
done
EOF
cat >d <<'EOF'
BEGIN
{
	few[1, 2, 3, 4, 5] = 7;
	system("/bin/sh ./maps %d", $pid);
	printf("%d %d\n", few[1, 2, 3, 4, 5], few[1, 2, 3, 4, 6]);
	exit(0);
}
EOF
for size in 1m 8m 9m 64m; do
	echo "$size: $("$DTRACE" -w -q -x dynvarsize=$size -s d | tr '\n' ' ')"
done
