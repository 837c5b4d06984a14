# A process that has been forked off has its parent's stacks from the first one on,
# also where it is interrupted, when the kernel tells little of what is mapped.  The
# first of them are those by which the parent becomes known.
# timeout: 60
[ "$(uname -m)" = x86_64 ] || { echo "only known of x86-64"; exit 77; }
"$DTRACE" -q -x ustackframes=60 -x noresolve -o traced -n '
	profile-499hz /arg1 && ppid == $target/ { printf("stack %d", pid); ustack(); }' \
	-c "${WORKLOAD%/*}/unwound forks 60" >/dev/null
awk '/^stack/ { pid = $2; first = !seen[pid]++; next }
	/0x/ { if (first) n[pid]++ }
	END { for (pid in seen) { all++; whole += n[pid] > 30 }
		print (all > 20), (whole > all * 3 / 4) }' traced
