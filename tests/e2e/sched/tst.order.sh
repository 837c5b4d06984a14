# Probes of one switch fire in the order of the manual, whatever that of the program.
cat >script <<'EOF'
sched:::on-cpu /seq[cpu]/ { @[seq[cpu] * 10 + 6] = count(); seq[cpu] = 0; }
sched:::off-cpu /seq[cpu]/ { seq[cpu] = seq[cpu] * 10 + 5; }
sched:::dequeue /seq[cpu]/ { seq[cpu] = seq[cpu] * 10 + 4; }
sched:::enqueue /seq[cpu] && pid == $target && args[0]->pr_lwpid == tid/
{ seq[cpu] = seq[cpu] * 10 + 3; }
sched:::preempt /pid == $target/ { seq[cpu] = 2; }
sched:::sleep /pid == $target/ { seq[cpu] = 1; }
END { printa("%d\n", @); }
EOF
"$DTRACE" -q -s script -c "python3 $HERE/../sdt/switches.py" >out
# To the idle thread nothing leaves a queue.
sed -n 's/^\([0-9]*\)$/\1/p' out | tr -d 4 | sort -u | grep .
