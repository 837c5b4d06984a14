# Four threads, on whatever CPUs, speculate into one; END, elsewhere, commits.
# All of it comes, in order of time.
"$DTRACE" -q -n 'BEGIN { s = speculation(); }
syscall::getppid:entry
/pid == $target/
{
	@ = count();
	self->n++;
	speculate(s);
	printf("row %d %d %d\n", timestamp, tid, self->n);
}
END { printf("end\n"); }
END { commit(s); }
END { printa("%@d\n", @); }' -c "$WORKLOAD -t 4 getppid:150" | awk '
	$1 == "row" {
		if ($2 < last || $4 != ++n[$3]) print "order:", $0
		last = $2; rows++
		if (!ended) print "early:", $0
		next
	}
	$1 == "end" { ended = 1 }
	{ print }
	END { print rows, length(n) }'
