# needs: unshare chroot mount
# timeout: 60
# cwd and root go up through mounts and out of a chroot; long paths lose their
# end.
cp "$WORKLOAD" w
mkdir -p 'a b/c' top/in/side jail/deep
cp w jail/w
here=$PWD
show='syscall::getppid:entry /pid == $target && execname == "w"/ {
	printf("%s %s\n", cwd, root); }'
run() {
	"$DTRACE" -q "$@" -n "$show" | sed "s|$here|HERE|g;/^\$/d"
}
in_mounts() {
	run -c "unshare -m bash -c '$1'"
}
run -c './w getppid:1'
run -c "bash -c 'cd a\ b/c; exec ../../w getppid:1'"
run -c "bash -c 'cd /; exec $here/w getppid:1'"
# A file system, one in it, and a directory bound into that.
in_mounts "mount -t tmpfs t top/in && mkdir -p top/in/side/x top/in/y && \
	mount -t tmpfs u top/in/side && mkdir top/in/side/z && \
	mount --bind \"a b\" top/in/side/z && \
	cd top/in/side/z/c && exec $here/w getppid:1"
# Right at the root of a file system.
in_mounts "mount -t tmpfs t top/in && cd top/in && exec $here/w getppid:1"
run -c 'chroot jail /w getppid:1'
# The name of each directory is 9 bytes with its slash.
long=$here
for i in 1 2 3 4 5 6 7 8; do long=$long/directory; done
mkdir -p "$long"
for size in 2 9 10 11 64; do
	"$DTRACE" -q -x strsize=$size -n 'syscall::getppid:entry
		/pid == $target && execname == "w"/ { printf("%s\n", cwd); }' \
		-c "bash -c 'cd $long; exec $here/w getppid:1'" >got
	printf '%.*s\n\n' $((size - 1)) "$long" | cmp - got
done
