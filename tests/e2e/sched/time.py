"""Work and sleep between two marks, each a system call of its own kind, and say how long the kernel
has noted this thread to have been on CPUs meanwhile."""
import ctypes
import os
import time

libc = ctypes.CDLL(None)
GETPPID, GETEUID = {'x86_64': (110, 107), 'aarch64': (173, 175)}[
    os.uname().machine]


def noted():
    os.sched_yield()            # so that it is noted up to now
    with open('/proc/thread-self/schedstat') as f:
        return int(f.read().split()[0])


start = noted()
libc.syscall(GETPPID, 4711)
for i in range(60):
    time.sleep(0.001)
    end = time.thread_time() + 0.008
    while time.thread_time() < end:
        pass
os.sched_yield()                # what the host took is noted before the mark, too
libc.syscall(GETEUID, 4711)
print('noted', noted() - start)
