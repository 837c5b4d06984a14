"$WORKLOAD" sleep:1:300000 getppid:25 &
"$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/ { @ = count(); }' -p $!
