# needs: setpriv
# What takes CAP_BPF and CAP_PERFMON asks for no more: a process's files are found without
# map_files, which only CAP_CHECKPOINT_RESTORE opens.
called=${WORKLOAD%/*}/called
few() { setpriv --bounding-set=-all,+bpf,+perfmon --inh-caps=-all "$DTRACE" "$@"; }
few -qn 'pid$target:a.out:leaf:entry { @ = count(); } END { printa("%@d\n", @); }' -c "$called leaf:70"
few -qn 'pid$target:a.out:leaf:entry { ustack(1); exit(0); }' -c "$called leaf:1" | awk 'NF { print $1 }'
few -qn 'proc:::exit /pid == $target/ { printf("%d\n", arg0); }' -c true
