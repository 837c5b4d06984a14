# A process that has been forked off has its parent's stacks from the first one on,
# also where it is interrupted, when the kernel tells little of what is mapped: they
# reach the beginning, or the dynamic linker's resolver, of which no table tells.  The
# first of them are those by which the parent becomes known.
# timeout: 60
[ "$(uname -m)" = x86_64 ] || { echo "only known of x86-64"; exit 77; }
"$DTRACE" -q -x ustackframes=100 -o traced -n '
	profile-499hz /arg1 && ppid == $target/ { printf("stack %d", pid); ustack(); }' \
	-c "${WORKLOAD%/*}/unwound forks 60" >/dev/null
awk '/^stack/ { pid = $2; first = !seen[pid]++; next }
	first && NF { last[pid] = $1 }
	END { for (pid in seen) { all++; whole += last[pid] ~ /`(_start|_dl_runtime_resolve)/ }
		print (all > 20), (whole > all * 3 / 4) }' traced
