# What scripts of other systems measure: how long a thread waits, and how long it holds.
# Four threads get one lock 2,000 times each, and keep it a while each hundredth time, so
# that others wait.
locked=$(dirname "$WORKLOAD")/locked
cat >script <<'END'
#pragma D option quiet
plockstat$target:::mutex-block { self->since = timestamp; }
plockstat$target:::mutex-blocked /self->since/
{ waits++; bad += timestamp <= self->since; self->since = 0; }
plockstat$target:::mutex-acquire { self->got[arg0] = timestamp; }
plockstat$target:::mutex-release /self->got[arg0]/
{ @held[usym(arg0)] = count(); bad += timestamp <= self->got[arg0]; self->got[arg0] = 0; }
END { printf("%d %d\n", waits > 0, bad); printa("%A %@d\n", @held); }
END
echo | "$DTRACE" -s script -c "$locked -t 4 2000" | grep -v _rtld
# Two processes: what one does is not taken for the other's.
cat >two <<'EOF'
#pragma D option quiet
#pragma D option destructive
BEGIN { system("echo >one; echo >other"); }
plockstat$1:::, plockstat$2:::
{ @[probeprov == strjoin("plockstat", lltostr(pid))] = count(); }
plockstat$1:::mutex-acquire { @one[usym(arg0)] = count(); }
plockstat$2:::mutex-acquire { @other[usym(arg0)] = count(); }
proc:::exit /pid == $1 || pid == $2/ { gone++; }
proc:::exit /gone == 2/ { exit(0); }
END { printa("%d\n", @); printa("one %A %@d\n", @one); printa("other %A %@d\n", @other); }
EOF
mkfifo one other
"$locked" -t 2 500 <>one &
"$locked" -t 3 700 <>other &
# until both are in their own program
for p in $(jobs -p); do
	until readlink /proc/$p/exe | grep -q locked; do :; done
done
"$DTRACE" -s two $(jobs -p) | grep -v _rtld
wait
