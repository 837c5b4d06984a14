# The record behind which no other fits ends the tracing, on all CPUs, though the
# command goes on, and says so; what came before is shown, and END's records, too.
# What fires then leaves no trace in aggregations and variables, either.
# A row is 16 bytes, 4 for the CPU (and 4 of padding), 8 for the number, and 8
# of the ring's own: 4096 / 40.
cat >d <<'EOD'
syscall::getppid:entry
/pid == $target/
{
	@fired = count();
	self->n++;
	printf("%d %d\n", cpu, self->n);
	n = self->n;
}
syscall::getppid:entry /pid == $target/ { @later = count(); }
END
{
	printf("end %d\n", n);
	printa("fired %@d\n", @fired);
	printa("later %@d\n", @later);
}
EOD
taskset -c 0 "$DTRACE" -q -x bufpolicy=fill -x bufsize=4k -s d \
	-c "$WORKLOAD getppid:5000 sleep:1:1000000000" >out
awk '
	NF == 2 && $1 ~ /^[0-9]+$/ { if ($2 != ++n) print "gap:", $0; next }
	{ print }
	END { print n }' out
