# Who waits for its probes goes on: when dtrace is killed, when it takes too long, and
# when it ends; but not whom somebody else has stopped.  Who would notice is not held.
noted=${WORKLOAD%/*}/noted
mkfifo names
cat >start.sh <<'EOF'
while read name; do
	./$name 1 >$name.out
	echo $name >>done
done <names
EOF
sh start.sh & helper=$!
exec 5>names

# begin OPTION...: trace what the helper starts, as $pid
begin() {
	rm -f out err
	"$DTRACE" -x usdtwait=stop "$@" -Zqn 'BEGIN, tick-20ms { printf("turn\n"); }
		noted*:::registers /progenyof($target)/ { printf("fired\n"); }' -x switchrate=50hz -p $helper \
		>out 2>err & pid=$!
	until_text out turn
}

# wait_state PID LETTER
wait_state() {
	local i
	for ((i = 0; i < tries; i++)); do
		grep -q "^State:.$2" /proc/$1/status 2>/dev/null && return
		sleep 0.05
	done
	echo "$1 is not $2"
}

# held NAME: start it while dtrace stands still; it is $child then, unless it has ended
held() {
	local i
	kill -STOP $pid
	wait_state $pid T
	cp "$noted" $1
	echo $1 >&5
	child=
	for ((i = 0; i < tries && ! ${child:-0}; i++)); do
		sleep 0.05
		! grep -q "^$1\$" done 2>/dev/null || break
		read -r child </proc/$helper/task/$helper/children || true
	done
}

begin
held one
wait_state $child T
killed $pid
until_text done one && echo 'killed: goes on'
begin -x usdtwaittime=100ms
held two
until_text done two && echo 'too long: goes on'
kill -CONT $pid
until_text err usdtwait
sed -n "s/process [0-9]* /process N /p" err
kill -INT $pid
wait $pid
begin -x usdtwaittime=60s
held three
wait_state $child T
kill -STOP $child
kill -CONT $pid
turns=$(grep -c turn out)
for ((i = 0; i < tries && $(grep -c turn out) < turns + 20; i++)); do sleep 0.05; done
wait_state $child T
cat done | tail -n1
kill -CONT $child
until_text done three && until_text out fired && echo "stopped by somebody else: was so"
held four
wait_state $child T
kill -INT $pid
kill -CONT $pid
wait $pid
until_text done four && echo 'ended: goes on'
exec 5>&-
wait $helper

# The parents of a job of a shell, and of who is under a debugger, see no stop.
cat >parent.py <<'EOF'
import ctypes, os, pty, shutil, signal, sys
noted, kind = sys.argv[1:]
def report(pid):
    stops = []
    while True:
        _, status = os.waitpid(pid, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            return status, stops
        stops.append(os.WSTOPSIG(status))
        if kind == 'job':
            os.kill(pid, signal.SIGCONT)
        else:
            ctypes.CDLL(None).ptrace(7, pid, None, None)	# PTRACE_CONT
def run():
    shutil.copy(noted, kind)
    pid = os.fork()
    if not pid:
        os.setpgid(0, 0) if kind == 'job' else ctypes.CDLL(None).ptrace(0, 0, None, None)
        os.dup2(os.open('/dev/null', os.O_WRONLY), 1)
        os.execv('./' + kind, [kind, '1'])
    status, stops = report(pid)
    with open(kind + '.stops', 'w') as f:
        print(kind, status, [signal.Signals(s).name for s in stops], file=f)
if kind == 'job':
    pid, fd = pty.fork()
    if not pid:
        run()
        os._exit(0)
    os.waitpid(pid, 0)
else:
    run()
EOF
for how in job 'job -x follow' traced; do
	kind=${how%% *}
	"$DTRACE" -x usdtwait=stop ${how#$kind} -Zqn 'noted*:::registers /progenyof($target)/ { @ = count(); }
		END { printa("%@d\n", @) ; }' \
		-c "python3 parent.py $noted $kind" >out 2>err
	cat $kind.stops err
done
