#!/usr/bin/env python3
"""Do each operation on files, between two calls of getpriority()."""
import ctypes
import fcntl
import os

DIR = os.getcwd()
libc = ctypes.CDLL(None)
os.mkdir('made')
directory = os.open('.', os.O_RDONLY)
os.getpriority(os.PRIO_PROCESS, 0)
fd = os.open('file', os.O_RDWR | os.O_CREAT, 0o600)
os.write(fd, b'x' * 1000)
os.pwrite(fd, b'y' * 77, 0)
os.writev(fd, [b'a' * 10, b'b' * 20])
os.lseek(fd, 0, os.SEEK_SET)
os.read(fd, 500)
os.pread(fd, 90, 0)
os.fsync(fd)
os.fdatasync(fd)
os.fstat(fd)
os.fchmod(fd, 0o640)
os.ftruncate(fd, 8192)
fcntl.flock(fd, fcntl.LOCK_EX)
fcntl.lockf(fd, fcntl.LOCK_UN)
fcntl.fcntl(fd, fcntl.F_SETFL, os.O_APPEND)
libc.mmap(None, ctypes.c_size_t(5000), 1, 1, fd, ctypes.c_long(0))
try:
    fcntl.ioctl(fd, 0x5401)     # TCGETS: a file is no terminal
except OSError:
    pass
os.close(fd)
fd = os.open('file', os.O_RDWR | os.O_CREAT, 0o600)
try:
    os.read(directory, 10)
except OSError:
    pass
os.close(fd)
os.stat(DIR + '/file')
os.chmod('file', 0o600)
os.utime('file')
os.access('file', os.R_OK)
os.access('missing', os.R_OK)
os.listdir(directory)
os.mkdir('new')
os.rename('new', 'newer')
os.rmdir('newer')
os.rmdir('made', dir_fd=directory)
os.symlink('file', 'soft')
os.readlink('soft')
os.link('file', 'hard')
os.unlink('hard')
os.unlink('soft', dir_fd=directory)
try:
    os.unlink('missing')
except OSError:
    pass
os.truncate('file', 10)
os.getpriority(os.PRIO_PROCESS, 0)
