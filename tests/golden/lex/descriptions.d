BEGIN,END, ERROR {}
syscall::read*:entry, syscall::[a-c]?x[!y]: {}
pid$1:libc.so.6:malloc:entry {}
profile-$2hz, tick-$2 {}
$$1:$pid:x-$uid: {}
int:::return, string::if:while {}
17 {}
