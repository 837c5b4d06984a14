# Stacks in the middle of the kernel that are told from what was learned of others: each is
# what the kernel says itself of where the thread sleeps.
# needs: python3
[ -r /proc/self/stack ] || { echo "this kernel does not tell where threads sleep"; exit 77; }
"$DTRACE" -qx bufsize=16m -n '
	syscall::openat:entry /pid == $target && copyinstr(arg1) == "truth"/ { asked = 1; }
	sched:::off-cpu /pid == $target && !asked/ { printf("thread %d\n", tid); stack(40); }' \
	-o seen -c "python3 $HERE/sleeping.py truth $(times 300)"
# The last of each thread; the kernel leaves out the scheduler's own frames.
awk 'NR == FNR { n[$1]++; truth[$1, n[$1]] = $2; next }
	$1 == "thread" { t = $2; depth[t] = 0; stacks[t]++ }
	/`/ { sub(/.*`/, "", $1); seen[t, ++depth[t]] = $1 }
	END {
		for (t in n) {
			threads++
			often += stacks[t] > '"$(times 300)"' / 2
			same = n[t] > 2 && depth[t] > n[t]
			for (i = 1; i <= n[t]; i++)
				same = same && truth[t, i] == seen[t, depth[t] - n[t] + i]
			right += same
		}
		print threads, often, right
	}' truth seen
