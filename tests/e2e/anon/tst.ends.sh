# needs: fuser
# A program that has ended before it is claimed shows what there is; signals of a
# claimer are the trace's, and so is that it is killed; nothing is left behind.
. "$HERE/anon.sh"
bpf_before
save -q -n 'syscall::getppid:entry /execname == $$1 && n++ == 4/ { printf("fifth\n"); exit(7); }
	END { printf("end\n"); }' $me
begin
"./$me" getppid:9
claim
echo status $?
save -q -n 'BEGIN { exit(4); } END { printf("only END\n"); }'
begin
claim
echo status $?

live='BEGIN { printf("begin\n"); } tick-50ms { n++; } END { printf("end\n"); }'
save -q -n "$live"
for signal in INT TERM QUIT HUP KILL; do
	begin
	held=$(holder)
	rm -f out
	env --default-signal=INT,QUIT "$DTRACE" --anon-root "$root" -a >out &
	pid=$!
	until_text out begin
	kill -$signal $pid
	wait $pid 2>/dev/null
	echo "$signal: status $?"
	gone $held
	echo $(cat out)
done
begin
held=$(holder)
kill $held
gone $held
claim 2>&1 | plain
bpf_after
over
