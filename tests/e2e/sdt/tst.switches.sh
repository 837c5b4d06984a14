# A thread is switched from as often as the kernel's own books say.
cat >script <<'END'
syscall::getppid:entry /pid == $target/ { on = 1; slept = 0; lost = 0; }
sdt:sched::sched_switch /on && pid == $target && args[3]/ { slept++; }
sdt:sched::sched_switch /on && pid == $target && !args[3]/ { lost++; }
sdt:sched::sched_switch /on && args[1]->pid == $target && pid != $target/
{ printf("prev is not the thread\n"); }
syscall::geteuid:entry /pid == $target/
{ v = slept; i = lost; }
END { printf("voluntary %d\ninvoluntary %d\n", v, i); }
END
"$DTRACE" -q -s script -c "python3 $HERE/switches.py" >out || cat out
sort out | uniq -c | awk 'NF > 1 { print $1, $2; n += $3 } END { print (n > 10) }'
