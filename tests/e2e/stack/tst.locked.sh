# The first stack of a process is whole while its mappings are locked: what is mapped where is
# then read without the lock, since Linux 6.1.
[ "$(uname -m)" = x86_64 ] || { echo "only followed on x86-64"; exit 77; }
case $(uname -r) in 5.*|6.0.*) echo "mappings stand in a tree since Linux 6.1"; exit 77;; esac
for i in {1..10}; do
	"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { ustack(); }' \
		-c "${WORKLOAD%/*}/stacks locked" | sed '/^$/d; s/+0x[0-9a-f]*//; s/^ *//; s/libc[^`]*`_*/libc`/'
done | sort | uniq -c
