#!/usr/bin/env python3
"""Take page faults between calls of getrusage(), and tell what the kernel counted
there: STAGE FAULTS MAJOR.  The first stage is a rehearsal."""
import ctypes
import mmap
import os
import resource

PAGES = 700
SIZE = PAGES * mmap.PAGESIZE
libc = ctypes.CDLL(None)


def address(area):
    return ctypes.addressof(ctypes.c_char.from_buffer(area))


def usage():
    r = resource.getrusage(resource.RUSAGE_SELF)
    return (r.ru_minflt + r.ru_majflt, r.ru_majflt)


def anonymous():
    area = mmap.mmap(-1, SIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    area.madvise(15)    # MADV_NOHUGEPAGE, so that each page is one fault
    return area


def from_disk():
    fd = os.open('file', os.O_RDWR | os.O_CREAT, 0o600)
    os.write(fd, b'x' * SIZE)
    os.fsync(fd)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    return mmap.mmap(fd, SIZE)


def read_already():
    """A mapping of its own of a file's pages: each that is written is copied.  (Not of
    nothing: some kernels give a page that is read at once the right to be written.)"""
    fd = os.memfd_create('pages')
    os.write(fd, b'x' * SIZE)
    area = mmap.mmap(fd, SIZE, mmap.MAP_PRIVATE)
    libc.memchr(ctypes.c_void_p(address(area)), 1, ctypes.c_size_t(SIZE))
    return area


small = mmap.mmap(-1, SIZE)
libc.memchr(ctypes.c_void_p(address(small)), 1, ctypes.c_size_t(SIZE))
libc.memset(ctypes.c_void_p(address(small)), 1, ctypes.c_size_t(SIZE))
mine, new, file, copied = anonymous(), anonymous(), from_disk(), read_already()
own, disk = ctypes.c_void_p(address(mine)), ctypes.c_void_p(address(file))
copies = ctypes.c_void_p(address(copied))
fresh = ctypes.c_void_p(address(new))
size = ctypes.c_size_t(SIZE)
stages = [lambda: None, lambda: libc.memchr(own, 1, size),
          lambda: libc.memset(copies, 1, size), lambda: libc.memchr(disk, 1, size),
          lambda: libc.memset(fresh, 1, size)]
seen = [usage()]
for stage in stages:
    stage()
    seen.append(usage())
for i, (old, new) in enumerate(zip(seen, seen[1:])):
    if i:
        print(i, new[0] - old[0], new[1] - old[1])
