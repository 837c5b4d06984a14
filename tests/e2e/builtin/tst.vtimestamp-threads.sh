# timeout: 60
# Many threads on few CPUs: no thread's time goes back, whoever looks, and all
# together they have no more time than there were CPUs.  (A profile probe may
# come in the middle of another one, so each has its own memory.)
"$DTRACE" -q -x dynvarsize=4m -n 'uint64_t start, last[int, string];

BEGIN
{
	start = timestamp;
}

profile-499, syscall::getppid:entry, syscall::nanosleep:return
/pid == $target/
{
	@back["went back"] = sum(vtimestamp < last[tid, probeprov] ? 1 : 0);
	last[tid, probeprov] = vtimestamp;
	@time[tid] = max(vtimestamp);
}

END
{
	printf("%d\n", timestamp - start);
	printa("%s %@d\n", @back);
	printa("time %d %@d\n", @time);
}' -c "$WORKLOAD -t 12 getppid:1 burn:1:20000 sleep:5:1000 getppid:2000 burn:1:20000 sleep:5:1000 getppid:2000" >got
awk -v cpus="$(nproc)" 'NR == 1 { elapsed = $1 }
	/went back/ { print }
	/^time/ { sum += $3; n++; if ($3 > elapsed) print "one thread:", $3 }
	END {
		print n " threads"
		if (sum > elapsed * cpus * 1.05) print "too much", sum, elapsed
		# other programs may have had most of the CPUs
		if (sum < elapsed / 10) print "too little", sum, elapsed
	}' got
