# Each member of fds[ ], beside fdinfo and mountinfo.
"$DTRACE" -o have -qn 'syscall::getsid:entry /pid == $target/
{
	printf("%d %s %s %s %d %s %s %d\n", (int)arg0, fds[arg0].fi_name,
	    fds[arg0].fi_dirname, fds[arg0].fi_pathname, fds[arg0].fi_offset,
	    fds[arg0].fi_fs, fds[arg0].fi_mount, fds[arg0].fi_oflags);
}' -c "python3 $HERE/file.py want"
grep . have | diff - want && wc -l <want
