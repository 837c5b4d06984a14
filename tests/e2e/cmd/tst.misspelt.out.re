status 1
syscall:.*:getppid:entry
dtrace:::BEGIN
