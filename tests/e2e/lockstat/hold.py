# Hold a lock of the kernel until somebody waits for it.  `dir`: that of a folder, for
# reading, by a getdents64 whose buffer comes (userfaultfd) when a mkdir and another
# getdents64 wait.  `tty`: the mutex for writing to a terminal that nobody reads; one
# who waits for it is killed, another gets it.
# Prints of each who waits: who, at least and at most how long.
import ctypes, fcntl, mmap, os, pty, re, signal, struct, sys, threading, time, tty

libc = ctypes.CDLL(None, use_errno=True)


def call(nr, *args):
    n = libc.syscall(nr, *args)
    if n < 0:
        raise OSError(ctypes.get_errno(), 'call %d' % nr)
    return n


def address(m):
    return ctypes.addressof(ctypes.c_char.from_buffer(m))


def getdents(buffer):
    call(217, os.open('folder', os.O_RDONLY), ctypes.c_void_p(buffer), 4096)


def start(f, *args):
    """Have a child call f, and return it and where it says how long that took."""
    r, w = os.pipe()
    kid = os.fork()
    if kid:
        os.close(w)
        return kid, r
    t = time.monotonic_ns()
    f(*args)
    os.write(w, struct.pack('q', time.monotonic_ns() - t))
    os._exit(0)


def waits(kid, *where):
    """Until the child sleeps in one of these functions: functions of locks, as those
    of the scheduler, are none of /proc's stack, but for a real-time kernel's."""
    while True:
        with open('/proc/%d/stack' % kid) as stack:
            frames = (f for f in stack if not re.search('rt_mutex|rwbase', f))
            if any(map(next(frames, '').__contains__, where)):
                return time.monotonic_ns()
        time.sleep(0.001)


def end(name, kid, r, least):
    most, = struct.unpack('q', os.read(r, 8))
    os.waitpid(kid, 0)
    print(name, kid, least, most)


def folder():
    os.mkdir('folder')
    page = mmap.mmap(-1, 4096)
    mine = mmap.mmap(-1, 4096)
    mine[0] = 1
    uffd = call(323, os.O_CLOEXEC)
    fcntl.ioctl(uffd, 0xc018aa3f, struct.pack('QQQ', 0xaa, 0, 0))
    fcntl.ioctl(uffd, 0xc020aa00,
                struct.pack('QQQQ', address(page), 4096, 1, 0))
    held = threading.Thread(target=getdents, args=(address(page),))
    held.start()
    waits(held.native_id, 'handle_userfault')
    maker = start(os.mkdir, 'folder/new')
    t1 = waits(maker[0], 'filename_create', 'do_mkdirat')
    lister = start(getdents, address(mine))
    t2 = waits(lister[0], 'iterate_dir')
    now = time.monotonic_ns()
    # UFFDIO_ZEROPAGE
    fcntl.ioctl(uffd, 0xc020aa04,
                struct.pack('QQQQ', address(page), 4096, 0, 0))
    held.join()
    end('maker', *maker, now - t1)
    end('lister', *lister, now - t2)


def terminal():
    master, slave = pty.openpty()
    tty.setraw(slave)
    text = bytes(1 << 20)
    first = start(os.write, slave, text)
    waits(first[0], 'wait_woken', 'n_tty_write')
    second = start(os.write, slave, b'x')
    t1 = waits(second[0], 'tty_write')
    third = start(os.write, slave, b'x')
    waits(third[0], 'tty_write')
    os.kill(third[0], signal.SIGKILL)
    os.waitpid(third[0], 0)
    print('third', third[0], 0, 0)
    now1 = time.monotonic_ns()
    got = 0
    while got < len(text) + 1:
        got += len(os.read(master, 1 << 16))
    end('second', *second, now1 - t1)
    os.waitpid(first[0], 0)


{'dir': folder, 'tty': terminal}[sys.argv[1]]()
