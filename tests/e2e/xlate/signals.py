"""signals.py FILE: signals of each kind to oneself, and into FILE what is to be told."""
import ctypes
import os
import signal
import sys

libc = ctypes.CDLL(None)
out = open(sys.argv[1], 'w')


def send(number, what, *line):
    signal.signal(number, lambda *_: None)
    what()
    print(number, *line, file=out, flush=True)


def child_ends():
    if os.fork() == 0:
        os._exit(5)
    os.wait()


me, uid = os.getpid(), 1234
os.setresuid(uid, 0, 0)
send(signal.SIGUSR1, lambda: os.kill(me, signal.SIGUSR1), 0, 0, me, uid, 'none', 'none')
send(signal.SIGUSR2, lambda: libc.sigqueue(me, int(signal.SIGUSR2),
                                           ctypes.c_void_p(0x1234567812345678)),
     0, -1, me, uid, 'none', hex(0x1234567812345678))
send(signal.SIGCHLD, child_ends, 0, 1, 'child', uid, 5, 'none')
