#!/usr/bin/env python3
"""bpfids.py: print the ids of all BPF programs and maps of this machine.
bpfids.py OLD: wait until every program and map that there is now, and is not listed in
the file OLD, is either gone or held by a live process; after ten seconds, print those
that are held by nobody, and fail.  (The kernel frees them with a delay; other
processes may be tracing at the same time.)"""
import ctypes
import glob
import os
import platform
import re
import sys
import time

LIBC = ctypes.CDLL(None, use_errno=True)
NUMBER = {'x86_64': 321, 'aarch64': 280}[platform.machine()]
NEXT = {'prog': 11, 'map': 12}		# BPF_{PROG,MAP}_GET_NEXT_ID


def ids():
    for kind, command in NEXT.items():
        attr = (ctypes.c_uint32 * 32)()
        while LIBC.syscall(NUMBER, command, attr, ctypes.sizeof(attr)) == 0:
            yield f'{kind} {attr[1]}'
            attr[0] = attr[1]


def held():
    """What live processes hold by a descriptor."""
    for path in glob.glob('/proc/[0-9]*/fdinfo/*'):
        try:
            with open(path) as file:
                for kind, number in re.findall(r'^(prog|map)_id:\s*(\d+)',
                                               file.read(), re.M):
                    yield f'{kind} {number}'
        except OSError:
            pass


def main():
    if len(sys.argv) < 2:
        print('\n'.join(ids()))
        return 0
    with open(sys.argv[1]) as file:
        old = set(file.read().splitlines())
    end = time.monotonic() + 10
    new = set(ids()) - old
    while left := (new & set(ids())) - set(held()):
        if time.monotonic() > end:
            print('left behind:', ', '.join(sorted(left)))
            return 1
        time.sleep(0.1)
    return 0


if __name__ == '__main__':
    sys.exit(main())
