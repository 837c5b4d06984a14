# The path of each program that tests/support/lives.c begins, or would: constants, which
# the process may not have touched.
# timeout: 60
"$DTRACE" -vV | grep -q '^bpf_find_vma  *no ' && { echo 'no bpf_find_vma, so no path that a process has not touched (before Linux 5.17)'; exit 77; }
"$DTRACE" -q -x aggsize=8m -n '
proc:::exec /progenyof($target) && pid != $target/
	{ @exec[basename(stringof(args[0]))] = count(); }
END { printa("exec %s %@d\n", @exec); }' -c "${WORKLOAD%/*}/lives" | sort
