# timeout: 60
# Speculations end on one CPU while others speculate: no row comes twice, none
# that was discarded comes, and ids do not get lost.
n=$(times 20000)
cat >d <<'EOD'
#pragma D option nspec=8
#pragma D option cleanrate=5000hz
#pragma D option bufsize=16m
#pragma D option specsize=1m
int64_t round;
int keep, drop;
tick-1ms { commit(keep); }
tick-1ms { discard(drop); }
tick-1ms { keep = speculation(); drop = speculation(); round++; }
syscall::getppid:entry
/pid == $target/
{
	self->n++;
	speculate(keep);
	printf("keep %d %d\n", tid, self->n);
}
syscall::getppid:entry
/pid == $target/
{
	speculate(drop);
	printf("drop %d %d\n", tid, self->n);
}
END { printf("rounds %d\n", round); }
EOD
"$DTRACE" -q -s d -c "$WORKLOAD -t 4 getppid:$n" >out 2>err
awk '
	$1 == "keep" { rows++; if (seen[$2, $3]++) print "twice:", $0; next }
	# A CPU that is taken away between the reading of `drop` and the call of
	# speculate() may find the id in use for something else.
	$1 == "drop" { if (++drops > 5) print "discarded:", $0; next }
	$1 == "rounds" { rounds = $2 }
	/failed speculation|speculative drop/ { next }
	NF { if ($1 != "rounds") print }
	END { print (rows > 100), (rounds > 10) }' out err
