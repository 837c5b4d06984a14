# What a process reads and writes, by path.
cat >fds.d <<'D'
syscall::read:entry, syscall::write:entry
/pid == $target/
{
	printf("%s %d %s\n", probefunc, arg0, fds[arg0].fi_pathname);
	printf("%s %s %d\n", fds[arg0].fi_name, fds[arg0].fi_dirname,
	    fds[arg0].fi_offset);
	printf("%s %s\n", fds[arg0].fi_fs, fds[arg0].fi_mount);
	printf("%d %d\n", fds[arg0].fi_oflags & O_ACCMODE,
	    (fds[arg0].fi_oflags & O_APPEND) != 0);
}
D
cat >rw.py <<'P'
import os
a = os.open("a", os.O_RDWR | os.O_CREAT)
b = os.open("b", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
c = os.open("/proc/version", os.O_RDONLY)
r, w = os.pipe()
root = os.open("/", os.O_RDONLY)
begin = os.open("begin", os.O_RDONLY | os.O_CREAT)
os.read(begin, 1)
os.write(a, b"hello")
os.write(a, b"hello")
os.write(b, b"x")
os.read(c, 1)
os.write(w, b"x")
for fd in root, 99, -1, 1000000000:
    try:
        os.read(fd, 1)
    except OSError:
        pass
P
python=$(python3 -c 'import sys; print(sys.executable)')
"$DTRACE" -qs fds.d -c "$python -S -I rw.py" >out || exit
# What the interpreter reads before is its own affair.
sed -n '/begin$/,$p' out | sed -e "s|$PWD|HERE|" -e '1,4d'
