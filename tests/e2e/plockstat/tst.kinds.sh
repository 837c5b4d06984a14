# Each probe as often as the program does what it stands for, with its arguments: kinds
# of mutexes, errors, waits that end and one that does not, conditions, readers and
# writers; the same of a program that has the C library inside.
cat >script <<'END'
#pragma D option quiet
plockstat$target:::
{ @[usym(arg0), probename, probefunc, arg1, arg2] = count(); }
END { printa("%A %s %s %d %d %@d\n", @); }
END
for p in locked locked-static; do
	"$DTRACE" -s script -c "$(dirname "$WORKLOAD")/$p 20" >seen
	# Locks of the library are its own affair.
	sed -n 's/^'$p'`\([a-z]\)/\1/p' seen | grep -v '^object' | sort >$p.seen
done
cat locked.seen
cmp locked.seen locked-static.seen
