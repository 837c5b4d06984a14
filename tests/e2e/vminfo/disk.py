#!/usr/bin/env python3
"""Read from a disk and write to it past the page cache, and tell what /proc/self/io
has of it, between two calls of getpriority(): read_bytes, write_bytes."""
import mmap
import os

PAGE = mmap.PAGESIZE
fd = os.open('file', os.O_RDWR | os.O_CREAT, 0o600)
os.write(fd, b'x' * PAGE * 300)
os.fsync(fd)
os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
direct = os.open('file', os.O_RDWR | os.O_DIRECT)
area = mmap.mmap(-1, PAGE * 20)
area.write(b'y' * PAGE * 20)
books = os.open('/proc/self/io', os.O_RDONLY)


def count():
    text = os.pread(books, 4096, 0).decode()
    have = dict(line.split(': ') for line in text.splitlines())
    return int(have['read_bytes']), int(have['write_bytes'])


count()
os.getpriority(os.PRIO_PROCESS, 0)
before = count()
os.pread(fd, PAGE * 300, 0)
os.preadv(direct, [area], 0)
os.pwritev(direct, [area], PAGE * 40)
after = count()
os.getpriority(os.PRIO_PROCESS, 0)
print(*(new - old for old, new in zip(before, after)))
