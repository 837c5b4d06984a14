"""Six children that sleep and work between two marks, each a system call."""
import ctypes
import os
import time

libc = ctypes.CDLL(None)
GETPPID, GETEUID = {'x86_64': (110, 107), 'aarch64': (173, 175)}[
    os.uname().machine]


def work():
    libc.syscall(GETPPID, 4711)
    for i in range(20):
        time.sleep(0.001)
        for j in range(20000):
            pass
    libc.syscall(GETEUID, 4711)


for i in range(6):
    if not os.fork():
        work()
        os._exit(0)
for i in range(6):
    os.wait()
