# Who may not look into tracefs is told that groups of tracepoints are not known, and how
# to name one without; so named it fires.
command -v setpriv >/dev/null || { echo "no setpriv"; exit 77; }
without() { setpriv --bounding-set=-sys_admin "$DTRACE" -qn "$@"; }
for provider in sdt rawtp; do
	without "$provider:sched::sched_switch { exit(0); }" 2>&1 | grep -o 'the groups.*'
	without "$provider:sched::sched_swich { exit(0); }" 2>&1 | grep -c 'the groups'
	without "$provider:::sched_switch /pid == \$target/ { n++; } END { printf(\"%d\\n\", n > 0); }" \
		-c 'sleep 0.01'
done
