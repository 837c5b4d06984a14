"""Six children that sleep and work between two marks, each a system call, until each has
given up its CPU 20 times: one who is late for its sleep does not."""
import ctypes
import os
import resource
import time

libc = ctypes.CDLL(None)
GETPPID, GETEUID = {'x86_64': (110, 107), 'aarch64': (173, 175)}[
    os.uname().machine]


def given_up():
    return resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw


def work():
    libc.syscall(GETPPID, 4711)
    start = given_up()
    while given_up() < start + 20:
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
