# A thread leaves a CPU, and gets one, as often as the kernel's own books say; it
# sleeps as often as it did of its own will.
cat >script <<'EOF'
syscall::getppid:entry /pid == $target/ { on = 1; slept = lost = off = got = 0; }
sched:::sleep /on && pid == $target/ { slept++; }
sched:::preempt /on && pid == $target/ { lost++; }
sched:::off-cpu /on && pid == $target/ { off++; }
sched:::on-cpu /on && pid == $target/ { got++; }
syscall::geteuid:entry /pid == $target/
{ v = slept; i = lost; o = off; g = got; }
END {
	printf("voluntary %d\ninvoluntary %d\n", v, i);
	printf("%d\n%d\n", o - v - i, g - o);
}
EOF
"$DTRACE" -q -s script -c "python3 $HERE/../sdt/switches.py" >out || cat out
grep '^[a-z]' out | sort | uniq -c | awk '{ print $1, $2; n += $3 } END { print (n > 10) }'
grep '^[-0-9]' out
