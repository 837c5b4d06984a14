# A call that a signal interrupts fails inside the kernel with a code of its own,
# of which there are several; its caller, and so D, sees EINTR.
"$DTRACE" -q -n '
	syscall::pause:return,
	syscall::read:return,
	syscall::clock_nanosleep:return
	/pid == $target && errno && errno != ENOENT/
	{
		@[probefunc, errno == EINTR, arg0 == -1] = count();
	}' -c "python3 -c '
import os, signal, time
signal.signal(signal.SIGALRM, lambda *a: None)
def soon():
    signal.setitimer(signal.ITIMER_REAL, 0.05)
soon(); signal.pause()
def stop(*a):
    raise InterruptedError
signal.signal(signal.SIGALRM, stop)
for call in (lambda: os.read(os.pipe()[0], 1), lambda: time.sleep(9)):
    soon()
    try:
        call()
    except InterruptedError:
        pass
'"
