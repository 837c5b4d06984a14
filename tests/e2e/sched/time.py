"""Work and sleep between two marks, each a system call of its own kind, and say how long the kernel
has noted this thread to have been on CPUs meanwhile.  It is of the real-time class, so that it comes
as often as it sleeps, however many others there are: what the kernel does between its look at the
clock and on-cpu, interrupts' work at times, is noted as the comer's, 10 to 1,000 microseconds."""
import ctypes
import os
import sys
import time

libc = ctypes.CDLL(None)
GETPPID, GETEUID = {'x86_64': (110, 107), 'aarch64': (173, 175)}[
    os.uname().machine]
try:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
except PermissionError:
    sys.exit('no real-time class here')


def noted():
    time.sleep(0.001)           # so that it is noted up to now
    return os.pread(schedstat, 100, 0)


schedstat = os.open('/proc/thread-self/schedstat', os.O_RDONLY)
start = noted()
libc.syscall(GETPPID, 4711)
for i in range(20):             # less of all time than real-time threads may have
    time.sleep(0.005)
    end = time.thread_time() + 0.05
    while time.thread_time() < end:
        pass
time.sleep(0.001)               # what the host took is noted before the mark, too
libc.syscall(GETEUID, 4711)
print('noted', int(noted().split()[0]) - int(start.split()[0]))
