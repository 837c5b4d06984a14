"""Threads that sleep in several ways, many times and then for long; then what the kernel
itself says of where each sleeps goes to the file that is named."""
import os
import select
import signal
import socket
import sys
import threading
import time

TIMES = int(sys.argv[2])
pipe, pair = os.pipe(), socket.socketpair()
lock = threading.Lock()
lock.acquire()
epoll = select.epoll()
epoll.register(pair[0], select.EPOLLIN)
poll = select.poll()
poll.register(pair[0], select.POLLIN)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
WAYS = [time.sleep, lambda s: select.select([pair[0]], [], [], s), lambda s: poll.poll(s * 1000),
        epoll.poll, lambda s: lock.acquire(timeout=s), lambda s: os.read(pipe[0], 1),
        lambda s: signal.sigtimedwait({signal.SIGUSR1}, s), lambda s: pair[1].recv(1)]
threads, ready = [], threading.Semaphore(0)


def sleep(way):
    threads.append(threading.get_native_id())
    for _ in range(TIMES):
        way(0.001)
    ready.release()
    way(3600)


for way in WAYS:
    threading.Thread(target=sleep, args=(way,), daemon=True).start()
for _ in range(TIMES):
    time.sleep(0.001)
    os.write(pipe[1], b'x')
    pair[0].send(b'x')
for _ in WAYS:
    ready.acquire()
while any(open(f'/proc/self/task/{t}/stat').read().split()[2] != 'S' for t in threads):
    time.sleep(0.01)
with open(sys.argv[1], 'w') as out:
    for t in threads:
        for line in open(f'/proc/self/task/{t}/stack'):
            print(t, line.split()[1].split('/')[0], file=out)
os._exit(0)
