# timeout: 120
# Speculations end on one CPU while others speculate: no row comes twice, none
# that was discarded comes, and ids do not get lost.  It goes on until there were
# fifty rounds in which both ids were to be had, and ten thousand rows.
cat >d <<'EOD'
#pragma D option nspec=8
#pragma D option cleanrate=5000hz
#pragma D option bufsize=16m
#pragma D option specsize=1m
int64_t round, good, fired;
int keep, drop;
tick-1ms { commit(keep); }
tick-1ms { discard(drop); }
tick-1ms
{
	keep = speculation();
	drop = speculation();
	round++;
	good += keep && drop;
	printf("round %d %d\n", round, keep);
}
tick-1ms /good > 50 && fired > 10000/ { exit(0); }
syscall::getppid:entry
/pid == $target/
{
	self->n++;
	fired += keep != 0;
	this->round = round;
	this->id = keep;
	speculate(this->id);
	printf("keep %d %d %d %d\n", tid, self->n, this->round, this->id);
}
syscall::getppid:entry
/pid == $target/
{
	this->round = round;
	this->id = drop;
	speculate(this->id);
	printf("drop %d %d %d %d\n", tid, self->n, this->round, this->id);
}
EOD
"$DTRACE" -q -s d -c "$WORKLOAD -t 4 getppid:1000000000" >out 2>err
awk '
	# A CPU that is taken away between the reading of `drop` and the call of
	# speculate() may find the id in use for something else: what is kept in a
	# later round.  Such a row belongs there.
	function elsewhere(id, read) {
		for (r = read + 1; r <= round; r++)
			if (kept[r] == id)
				return 1
		return 0
	}
	$1 == "round" { round = $2; kept[round] = $3; next }
	$1 == "keep" || $1 == "drop" {
		rows++
		if (seen[$1, $2, $3]++) print "twice:", $0
		if ($1 == "drop" && !elsewhere($5, $4)) print "discarded:", $0
		next
	}
	/failed speculation|speculative drop/ { next }
	NF { print }
	END { print (rows > 100) }' out err
