# What a command is seen to do before its own program runs has its name, not ours.
"$DTRACE" -qn 'syscall::execve:entry /pid == $target/ { @[execname] = count(); }' -c true
