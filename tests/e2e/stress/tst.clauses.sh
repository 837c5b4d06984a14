# timeout: 60
# Thousands of clauses load and run, or it is said why they cannot.
clauses() { awk -v n=$1 'BEGIN { for (i = 0; i < n; i++) print "BEGIN { n++; }" }'; }
run() {
	{ echo 'int n;'; clauses $1; echo 'BEGIN { printf("%d\n", n); exit(0); }'; } >d
	"$DTRACE" -q -s d 2>&1
}
run 3000
run 10000
# Over several probes ten thousand do (some seconds).
if [ "${SOAK:-1}" -gt 1 ]; then
	awk 'BEGIN {
		for (i = 0; i < 2500; i++)
			print "syscall::getppid:entry, syscall::read:entry,",
			    "syscall::write:entry, syscall::close:entry",
			    "/pid == $target/ { n++; }"
		for (i = 0; i < 7500; i++)
			print "syscall::" (i % 3 ? "getpid" : "openat") ":entry",
			    "/pid == $target/ { n++; }"
	}' >d
	"$DTRACE" -q -s d -n 'int64_t n; END { printf("%d\n", n); }' \
		-c "$WORKLOAD getppid:10" | grep -q '^[0-9]'
fi
