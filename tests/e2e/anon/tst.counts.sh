# What a process did before anybody looked is counted exactly, by records, by an
# aggregation and by a variable; then the trace goes on, and END runs at its end.
. "$HERE/anon.sh"
save -q -n '
	BEGIN { printf("begin\n"); }
	syscall::getppid:entry /execname == $$1/ { @["calls"] = count(); n++; printf("%d\n", n); }
	syscall::getppid:entry /execname == $$1 && n >= 1200/ { exit(3); }
	END { printf("end %d\n", n); }' $me
begin
bpf_before
"./$me" getppid:700
claim -o out >said 2>&1 &
pid=$!
until_text out '^700$'
grep -c '^[0-9]*$' out
"./$me" getppid:500
wait $pid
echo status $?
cat said
sed '2,1200d' out
grep '^[0-9]' out | cmp - <(seq 1200)
over
