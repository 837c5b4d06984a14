status 1
syscall:.*:getppid:entry
dtrace:::BEGIN
hint: did you mean syscall::write:entry\?
hint: did you mean syscall::getppid:\?
hint: there is no provider called nosuch; dtrace -l lists the probes that exist; those of a process are nosuch\$target:::, or nosuch\*::: of any
