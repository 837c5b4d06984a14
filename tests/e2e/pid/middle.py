"""Kill dtrace while it changes the code of a process, and wait until it is as it was."""
import math
import os
import signal
import subprocess
import sys
import time

WAIT_S = 30 * math.prod(int(os.environ.get(name, 1)) for name in ('E2E_SLOW', 'PATIENCE'))
TARGET = 'import ssl, sqlite3, time; print(flush=True); time.sleep(1000)'


class Code:
    """The process's code, as it is in the first look."""

    def __init__(self, pid):
        self.mem = open(f'/proc/{pid}/mem', 'rb', 0)
        self.spans = []
        for line in open(f'/proc/{pid}/maps'):
            span, perms, _, _, inode, *_ = line.split()
            if 'x' in perms and inode != '0':
                start, end = (int(x, 16) for x in span.split('-'))
                self.spans.append((start, end - start))
        self.first = self.read()

    def read(self):
        def one(start, size):
            self.mem.seek(start)
            return self.mem.read(size)
        return [one(*span) for span in self.spans]

    def changed(self):
        """How many objects are not as they were."""
        return sum(a != b for a, b in zip(self.first, self.read()))


def await_change(code, is_wanted, d=None):
    """Is it so in time, or once dtrace has ended?"""
    end = time.monotonic() + WAIT_S
    while not is_wanted(code.changed()):
        if time.monotonic() > end or (d and d.poll() is not None):
            return is_wanted(code.changed())
    return True


def run(pid, out):
    return subprocess.Popen(
        [os.environ['DTRACE'], '-qn', r'BEGIN { printf("started\n"); } '
         'pid$target:::entry { @ = count(); }', '-p', str(pid), '-x', 'switchrate=50hz'],
        stdout=out, stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def attaching(code, pid):
    d = run(pid, subprocess.DEVNULL)
    began = await_change(code, lambda n: n > 0, d)
    return d, began


def leaving(code, pid):
    d = run(pid, subprocess.PIPE)
    d.stdout.readline()
    most = code.changed()
    d.send_signal(signal.SIGINT)
    return d, await_change(code, lambda n: n < most, d)


def main():
    with subprocess.Popen([sys.executable, '-c', TARGET], stdout=subprocess.PIPE) as target:
        target.stdout.readline()
        code = Code(target.pid)
        for when in attaching, leaving:
            for _ in range(3):
                d, began = when(code, target.pid)
                d.kill()
                d.wait()
                clean = await_change(code, lambda n: n == 0)
                print(when.__name__, began, clean, target.poll())
                if not clean:
                    code = Code(target.pid)
        target.kill()


main()
