# -F: two calls of one process on one CPU; a second clause has no arrow, the
# return is back where the call was; the program's own text follows.
taskset -c 0 "$DTRACE" -F -n '
BEGIN {}
syscall::read:entry, syscall::read:return, syscall::getppid:entry,
syscall::getppid:return /pid == $target/ { trace(probeprov); }
syscall::read:entry /pid == $target/ { trace("again"); }
' -c "$WORKLOAD read:1:64 getppid:1" 2>/dev/null | sed 's/ *$//'
