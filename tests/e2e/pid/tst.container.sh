# A process that sees other file systems than we do.
# needs: unshare chroot ldd
called=$(dirname "$WORKLOAD")/called
mkdir -p root/odd
cp "$called" root/odd/program
for lib in $(ldd "$called" | grep -o '/[^ ]*'); do
	mkdir -p "root$(dirname "$lib")"
	cp "$lib" "root$lib"
done
unshare -m sh -c 'mount -t tmpfs none /mnt && cp -a root/. /mnt && exec chroot /mnt /odd/program often' &
process=$!
for ((i = 0; i < tries; i++)); do
	[ "$(cat /proc/$process/comm)" = program ] && break
	sleep 0.1
done
disown $process
"$DTRACE" -qn 'pid$target:program:leaf:entry { printf("%s %s\n", probemod, execname); exit(0); }' -p $process
"$DTRACE" -qn 'pid$target:libc:usleep:entry,pid$target:libc:*nanosleep:return { @[probefunc] = count(); }
	pid$target:libc:usleep:entry /n++ > 3/ { exit(0); }' -p $process | awk 'NF { print $1, ($2 > 0) }' | sort
# deleted
cp "$called" gone
./gone often & other=$!
disown $other
for ((i = 0; i < tries; i++)); do
	[ "$(cat /proc/$other/comm)" = gone ] && break
	sleep 0.1
done
rm gone
"$DTRACE" -qn 'pid$target:gone:leaf:entry { printf("%s\n", probemod); exit(0); }' -p $other
kill -KILL $process $other
