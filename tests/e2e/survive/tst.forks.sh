# timeout: 60
# Four threads that do nothing but make processes: each call of each process is
# seen, and nothing stays.
n=$(times 500)
bpf_before
"$DTRACE" -q -x bufsize=4m -n '
	syscall::getppid:entry /progenyof($target)/ { @ = count(); self->n++; }
	syscall::exit_group:entry /self->n/ { printf("%d\n", self->n); self->n = 0; }' \
	-c "$WORKLOAD -t 4 fork:$n:3" >out 2>err
cat err
awk -v n=$n 'NF == 1 && $1 == 3 { processes++; next } NF { calls += $1 }
	END { print processes / n, calls / n }' out
# Interrupted in the midst of it.
: >out
$SIGINT_ON "$DTRACE" -q -x switchrate=100hz -n '
	syscall::getppid:entry /progenyof($target)/ { printf("%d\n", pid); self->n++; }' \
	-c "$WORKLOAD -t 4 fork:1000000:3" >out 2>err &
pid=$!
until [ "$(wc -l <out)" -gt 1000 ]; do sleep 0.01; done
kill -INT $pid
wait $pid
echo "status $?"
grep -v 'drops* on CPU' err
bpf_after
