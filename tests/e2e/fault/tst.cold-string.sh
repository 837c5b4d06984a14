# needs: python3
# Strings in memory that a process has mapped from a file and never touched: what
# the file has there is read from the page cache, and nothing else is.
[ "$(uname -m)" = x86_64 ] || { echo "numbers of other calls"; exit 77; }
cat >cold.py <<'PY'
import ctypes, os
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + \
	[ctypes.c_long]
libc.prctl(41, 1, 0, 0, 0)	# nobody else changes its mappings, to give it huge pages
PAGE, SHARED, PRIVATE = 4096, 1, 2
READ, WRITE = 1, 2

def cold(text, at, flags=PRIVATE, prot=READ, skip=0, own=None, pages=1):
	data = b'#' * at + text
	with open('file', 'wb') as f:
		f.write(data)
	fd = os.open('file', os.O_RDWR)
	size = (len(data) + PAGE - 1) // PAGE * PAGE
	p = libc.mmap(None, size - skip, prot, flags, fd, skip)
	if own:		# the process's own copy of the page differs
		ctypes.memmove(p + at - skip, own, len(own))
	os.pread(fd, len(text), at)	# a kernel may have written it back by now, and dropped it
	libc.syscall(257, 12345, ctypes.c_void_p(p + at - skip), 54321)
	os.close(fd)

cold(b'private\0', 0)
cold(b'shared\0', 100, SHARED)
cold(b'across two pages\0', PAGE - 6)
cold(b'to the last byte\0', 3 * PAGE - 17)
cold(b'far behind\0', 70 * PAGE + 5)
cold(b'farther\0', 5000 * PAGE + 5)
cold(b'not from the start\0', 9 * PAGE + 5, skip=4 * PAGE)
cold(b'', PAGE - 1)
cold(b'the file has it\0', 20, PRIVATE, READ | WRITE, own=b'the process\0')
cold(b'\0', 0)
cold(b'it cannot be read\0', 8, prot=0)
PY
"$DTRACE" -x strsize=64 -qn 'syscall::openat:entry
	/pid == $target && (int)arg0 == 12345 && arg2 == 54321/
	{ printf("%s.\n", copyinstr(arg1)); }
	ERROR { printf("fault %d\n", arg4); }' -c 'python3 cold.py' 2>err | grep .

# The first bytes of one, as it would be of any other.
"$DTRACE" -qn 'syscall::openat:entry
	/pid == $target && (int)arg0 == 12345 && arg2 == 54321/
	{ printf("%s.\n", copyinstr(arg1, 5)); }' -c 'python3 cold.py' 2>err |
	grep . | head -4

# So for bytes.
"$DTRACE" -x strsize=64 -qn 'syscall::openat:entry
	/pid == $target && (int)arg0 == 12345 && arg2 == 54321 && (arg1 & 4095) != 4095/
	{ printf("%s.\n", stringof(copyin(arg1, 16))); }
	ERROR { printf("fault %d\n", arg4); }' -c 'python3 cold.py' 2>err | grep .
