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
# Who is not held may be faster than we are, and that is said.
early='^dtrace: warning: [0-9]+ process(es)? ended before (its|their) probes were there$'
for how in job 'job -x follow' traced; do
	kind=${how%% *}
	"$DTRACE" -x usdtwait=stop -x usdtwaittime=60s ${how#$kind} -Zqn 'noted*:::registers /progenyof($target)/ { @ = count(); }
		END { printa("%@d\n", @) ; }' \
		-c "python3 parent.py $noted $kind" >out 2>err
	cat $kind.stops
	grep -Ev "$early" err
done

# Whoever starts programs sees of them what it sees without us: nothing of a stop, whether it
# asks for stops or not, on no terminal, and whether children wait, too.  What none asks of
# is held.
cat >kids.sh <<'EOK'
./new 1; echo "$?"
(echo sub; ./new 1; exit 3); echo "$?"
./new 1 | cat; echo "${PIPESTATUS[*]}"
./new 1 & wait $!; echo "$?"
echo "$(./new 1; jobs)"
EOK
sed 's/\${PIPE.*}/$?/' kids.sh >plain.sh
(echo 'set -m'; cat kids.sh; echo jobs) >jobs.sh
(echo 'set -m 2>/dev/null'; cat plain.sh; echo jobs) >plain-jobs.sh
printf 'all: 1 2 3 4\n1 2 3 4:; @./new 1 >$@.made\n' >kids.mk
cat >make.sh <<'EOK'
make -s -j4 -f kids.mk; echo $?
cat 1.made 2.made 3.made 4.made
EOK
cat >kids.py <<'EOK'
import os, signal, subprocess, sys
def tell(*args):
    print(*args, flush=True)
signal.signal(signal.SIGCHLD, lambda *args: None)
tell(subprocess.call(['./new', '1']))
tell(subprocess.call(['./new', '1'], process_group=0) if sys.version_info >= (3, 11) else 0)
tell(subprocess.call(['./new', '1'], start_new_session=True))
with subprocess.Popen(['./new', '1']) as p:
    while True:
        _, status = os.waitpid(p.pid, os.WNOHANG)
        if _:
            break
    tell(os.WIFSTOPPED(status), status)
    p.returncode = 0
EOK
# kids COUNT COMMAND...: COUNT is of programs that are held, or empty
kids() {
	local count=$1 how
	shift
	cp "$noted" new
	setsid -w "$@" >want 2>&1 </dev/null; echo "$?" >>want
	for how in '' '-x follow'; do
		rm -f new seen
		cp "$noted" new
		setsid -w "$DTRACE" -x usdtwait=stop -x usdtwaittime=60s $how -o seen -Zqn 'noted*:::registers /progenyof($target)/
			{ @ = count(); } END { printa("%@d\n", @); }' \
			-c "sh -c '$*; echo \$?'" >got 2>&1 </dev/null
		grep -Ev "^dtrace: warning: usdtwait: jobs|$early" got | diff want - && echo "$* $how: the same"
		[ -z "$count" ] || ! grep -vx $count seen | grep .
	done
}
kids '' bash jobs.sh
kids 5 bash kids.sh
kids 5 dash plain-jobs.sh
kids 4 bash make.sh
kids '' python3 kids.py
