# When dtrace is killed the process runs on, and is as it was; when the process is
# killed, dtrace ends.
called=$(dirname "$WORKLOAD")/called
cat >same.py <<'END'
import sys
pid, patched = sys.argv[1], 0
for line in open(f'/proc/{pid}/maps'):
    span, perms, offset, dev, inode, *path = line.split()
    if 'x' not in perms or not path or path[0][0] != '/':
        continue
    start, end = (int(x, 16) for x in span.split('-'))
    with open(f'/proc/{pid}/mem', 'rb') as mem, open(path[0], 'rb') as file:
        mem.seek(start)
        file.seek(int(offset, 16))
        a, b = mem.read(end - start), file.read(end - start)
        patched += sum(x != y for x, y in zip(a, b))
print('patched' if patched else 'as it was')
END
"$called" often & process=$!
disown $process
for ((i = 0; i < tries; i++)); do
	[ "$(cat /proc/$process/comm)" = called ] && break
	sleep 0.1
done
$SIGINT_ON "$DTRACE" -qn 'BEGIN { printf("started\n"); }
	pid$target:a.out::entry, pid$target:libc:*sleep:entry { @ = count(); }
	pid$target:a.out:leaf:entry { printf("hit\n"); }' -x switchrate=50hz -p $process >out &
pid=$!
until_text out hit
python3 same.py $process
killed $pid
for ((i = 0; i < tries; i++)); do
	[ "$(python3 same.py $process)" = 'as it was' ] && break
	sleep 0.1
done
python3 same.py $process
kill -0 $process && echo 'runs on'
$SIGINT_ON "$DTRACE" -qn 'BEGIN { printf("started\n"); }
	pid$target:a.out:leaf:entry { printf("hit\n"); }' -x switchrate=50hz -p $process >again 2>err &
pid=$!
until_text again hit
kill -KILL $process
wait $pid
echo $?
sed "s/$process/PID/" err
