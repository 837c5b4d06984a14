# timeout: 60
# Threads on all CPUs speculate at once; every other call is committed.  All of
# what is committed is shown, together and in order, and nothing else.
n=$(times 5000)
cat >d <<'EOD'
#pragma D option nspec=16
#pragma D option cleanrate=2000hz
syscall::getppid:entry
/pid == $target/
{
	@fired = count();
	self->n++;
	self->s = speculation();
}
syscall::getppid:entry
/self->s/
{
	@made = count();
	speculate(self->s);
	printf("entry %d %d\n", tid, self->n);
}
syscall::getppid:return
/self->s/
{
	speculate(self->s);
	printf("return %d %d\n", tid, self->n);
}
syscall::getppid:return
/self->s && self->n % 2/
{
	@committed = count();
	commit(self->s);
	self->s = 0;
}
syscall::getppid:return
/self->s/
{
	discard(self->s);
	self->s = 0;
}
END
{
	printa("fired %@d\n", @fired);
	printa("made %@d\n", @made);
	printa("committed %@d\n", @committed);
}
EOD
"$DTRACE" -q -s d -c "$WORKLOAD -t 4 getppid:$n" >out 2>err
awk -v n=$n '
	$1 == "entry" { open++; pair = $2 " " $3; if (!($3 % 2)) print "even", $0 }
	$1 == "return" { rows++; if ($2 " " $3 != pair) print "apart:", pair, $0 }
	$1 == "fired" { fired = $2 }
	$1 == "made" { made = $2 }
	$1 == "committed" { committed = $2 }
	/failed speculation/ { failed += $2 }
	/drops? on CPU|speculative drop/ { print "drops:", $0 }
	END {
		print fired / n, fired == made + failed, (made > 0)
		print rows == open, rows == committed
	}' out err
grep -v 'failed speculations\? (\(available buffers\? still busy\|no speculative buffer available\))' err
true
