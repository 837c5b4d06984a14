dtrace: error on enabled probe ID \d+ \(ID \d+: syscall:vmlinux:getppid:entry\): invalid address \(0x[0-9a-f]+\) in action #1.*
