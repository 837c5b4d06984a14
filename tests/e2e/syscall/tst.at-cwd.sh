# fds[AT_FDCWD] is the current directory: what openat() has before a relative name.
mkdir -p sub/dir && echo x >sub/dir/file && cd sub
cat >at.py <<'P'
import os
d = os.open("dir", os.O_RDONLY)
os.chdir("dir")
os.open("file", os.O_RDONLY)
os.open("file", os.O_RDONLY, dir_fd=d)
os.open("../dir/file", os.O_RDONLY, dir_fd=d)
P
$DTRACE -qn 'syscall::openat:entry /pid == $target/ { self->at = (uint_t)arg0; }
syscall::openat:return /pid == $target && fds[arg0].fi_name == "file"/
{
	printf("%d %s %s %s %d %d %d\n", self->at == AT_FDCWD, fds[self->at].fi_name,
	    fds[self->at].fi_pathname == cwd ? "here" : "elsewhere",
	    basename(fds[self->at].fi_dirname), fds[self->at].fi_fs == fds[arg0].fi_fs,
	    fds[self->at].fi_mount == fds[arg0].fi_mount, fds[AT_FDCWD].fi_pathname == cwd && fds[-1].fi_name == "<none>");
}' -c 'python3 at.py'
# Also where a script has another number for it, of another system.
cd dir
$DTRACE -qn 'inline uint_t AT_FDCWD = 0xffd19553;
syscall::openat:entry /pid == $target && basename(copyinstr(arg1)) == "file"/
{
	printf("%d %s\n", (uint_t)arg0 == AT_FDCWD, fds[(uint_t)arg0].fi_name);
}' -c 'cat file'
