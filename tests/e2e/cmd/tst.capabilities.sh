# needs: setpriv ldd capsh
# Who is not root traces with two capabilities: also what processes of others do, and into which
# functions of files that anybody may read they go.
capsh --has-p=cap_bpf && capsh --has-p=cap_perfmon || { echo "no CAP_BPF and CAP_PERFMON to give"; exit 77; }
mkdir cmd lib && chmod 711 .
cp "$DTRACE" cmd/dtrace
shared=$(ldd "$DTRACE" | awk '/libdtrace/ { print $3 }')
cp -rL "$shared" "$(dirname "$shared")/dtrace" lib && chmod -R a+rX cmd lib
may() {
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=+bpf,+perfmon \
		--ambient-caps=+bpf,+perfmon --bounding-set=-all,+bpf,+perfmon cmd/dtrace "$@"
}
may -qn '
	proc:::exec-success /pid == $target/ { printf("%s by %d\n", curpsinfo->pr_psargs, uid); }
	syscall::openat:entry /pid == $target && copyinstr(arg1) == "/dev/null"/ {
		@[execname, probefunc, copyinstr(arg1)] = count(); }
	tcp:::state-change { @n[0] = count(); }' -c '/bin/cat /dev/null'
setpriv --reuid=65533 --regid=65533 --clear-groups sh -c 'while :; do read -r x < /dev/null; done' &
of=$!
until [ "$(stat -c %u /proc/$of)" = 65533 ] && grep -q sh /proc/$of/comm; do sleep 0.01; done
may -qn 'pid$target:libc*:read:entry { @[uid, probefunc] = min(1); } tick-200ms { exit(0); }' -p $of
kill $of
