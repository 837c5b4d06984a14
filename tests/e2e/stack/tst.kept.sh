# Tables of files are kept for the next time, where nobody else can write; stacks are the
# same.  (Of a static program all tables are made before it runs.)
[ "$(uname -m)" = x86_64 ] || { echo "only followed on x86-64"; exit 77; }
trace() {
	"$DTRACE" -x unwindcache=$1 -q -n 'syscall::getppid:entry /pid == $target/ { ustack(); }' \
		-c "${WORKLOAD%/*}/unwound-static" 2>&1 >/dev/null | sed 's/unwound.*//' ; }
stacks() {
	"$DTRACE" -x unwindcache=$1 -qn 'syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }' \
		-c "${WORKLOAD%/*}/unwound-static" | sed 's/+0x[0-9a-f]*//' | sort | cksum; }
stacks $PWD/kept >first
[ -n "$(ls kept)" ] && echo kept
[ "$(stat -c %a kept)" = 700 ] || stat -c %a kept
files=$(echo kept/*)
before=$(ls -li --time-style=full-iso $files | cksum)
stacks $PWD/kept >second
[ "$before" = "$(ls -li --time-style=full-iso $files | cksum)" ] || echo 'written again'
stacks none >third
cmp first second && cmp first third && echo same
for f in kept/*; do printf x | dd of=$f bs=1 seek=5000 conv=notrunc status=none; done
stacks $PWD/kept | cmp - first && echo 'made again'
chmod 777 kept
trace $PWD/kept
trace /proc/none
trace none
