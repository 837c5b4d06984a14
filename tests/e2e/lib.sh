# What the bash cases share.

# How often the functions below look, ten times a second: for 10 seconds, or
# longer where the machine is slow.
tries=$((100 * ${E2E_SLOW:-1} * ${PATIENCE:-1}))

# until_text FILE TEXT: wait until the file has the text.
until_text() {
	local i
	for ((i = 0; i < tries; i++)); do
		grep -q -- "$2" "$1" 2>/dev/null && return
		sleep 0.1
	done
	echo "no '$2' in $1"
	return 1
}

# gone PID: wait until the process has ended.
gone() {
	local i
	for ((i = 0; i < tries; i++)); do
		kill -0 "$1" 2>/dev/null || return 0
		sleep 0.1
	done
	echo "process is still there"
	return 1
}

# load MODULE [VALUE...]: have the kernel of a machine of our own load it, with what it
# needs before; no if it has none.
load() {
	local file need module=${1//-/_} named
	shift
	[ -d /sys/module/$module ] && return
	[ -e modules ] || find /lib/modules/$(uname -r)/ -name '*.ko*' >modules
	named=/${module//_/[-_]}\.ko
	file=$(grep -E "$named" modules) ||
		{ grep -qsE "$named" /lib/modules/$(uname -r)/modules.builtin; return; }
	case $file in
	*.xz) xz -dc $file ;; *.zst) zstd -qdc $file ;; *) cat $file ;;
	esac >$module.ko
	for need in $(grep -aoz '^depends=[^[:cntrl:]]*' $module.ko | tr '\0' ' ' |
		sed 's/^depends=//; s/,/ /g'); do
		load $need || return
	done
	busybox insmod $module.ko "$@"
}

# killed PID: kill a process of this shell, which is not to say so; its status.
killed() { { kill -KILL "$1" && wait "$1"; } 2>/dev/null; }

bpf_before() { python3 "$HERE/../bpfids.py" >bpf.before; }
bpf_after() { python3 "$HERE/../bpfids.py" bpf.before; }

# The shell starts what runs in the background with SIGINT ignored; this undoes
# it, as for a command that a user interrupts.
SIGINT_ON='env --default-signal=INT'

# start_trace: count calls in the background, as $pid, until it is told to stop;
# what it prints is in out.
start_trace() {
	$SIGINT_ON "$DTRACE" -q -n 'BEGIN { printf("started\n"); }
		syscall:::entry { @[execname] = count(); self->x = timestamp; }
		END { printf("ended\n"); trunc(@); }' -x switchrate=100hz >out &
	pid=$!
	until_text out started
}

# start_with_child: the same of a command of its own, $child.
start_with_child() {
	$SIGINT_ON "$DTRACE" -q -x switchrate=100hz \
		-n 'BEGIN { printf("started\n"); }
		syscall::nanosleep:entry /pid == $target/ {
			printf("child %d\n", pid);
		}' -c "$WORKLOAD sleep:1000:50000" >out &
	pid=$!
	until_text out child
	child=$(awk '/child/ { print $2; exit }' out)
}

# stack_before PID [COMMAND...]: count the stack from which PID, a "stacks signal"
# (tests/support/stacks.c) that was there before, calls getppid(); have it call
# and end, run the command, and show the count.
stack_before() {
	local old=$1
	shift
	$SIGINT_ON "$DTRACE" -q -o out -n 'BEGIN { printf("started\n"); }
		syscall::getppid:entry /pid == $1/
		{ @[ustack(3)] = count(); printf("seen\n"); }' $old &
	pid=$!
	until_text out started
	sleep 0.3
	kill -USR1 $old
	wait $old
	"$@"
	until_text out seen
	sleep 0.2
	kill -INT $pid
	wait $pid
	cat out
}

# times N: N, or more of it in a soak (tools/soak).
times() { echo $(($1 * ${SOAK:-1})); }

# but_for_the_clock: what the clock behind profile-N loses on this machine is no
# matter of the test.
but_for_the_clock() { grep -v '^dtrace: [0-9]* firings\? lost$' || true; }

# with_32_bit_calls: skip the case where the kernel takes none.
with_32_bit_calls() {
	sh -c '"$WORKLOAD" getpid32:1; exit $?' >/dev/null 2>&1 ||
		{ echo "no 32-bit system calls here"; exit 77; }
}

# lo_up [WHAT...]: the loopback device of a network namespace of our own.  Segments are
# acknowledged by the thread that sent them: a timer that does so later runs in whatever
# thread is there, and some kernels run no program while certain threads are.
lo_up() {
	ip link set lo "$@" up
	{ ip route replace local 127.0.0.1 dev lo table local proto kernel scope host \
		src 127.0.0.1 quickack 1
	ip -6 route del local ::1 dev lo table local &&
		ip -6 route add local ::1 dev lo table local quickack 1; } 2>/dev/null || true
}
export -f lo_up
