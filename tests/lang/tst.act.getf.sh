# Open files of the process that makes the call, by their descriptors, and
# their paths.
mkdir -p sub/dir
echo text >sub/dir/file
cd sub/dir
"$DTRACE" -qn 'syscall::read:entry /pid == $target && arg0 == 5/ {
	printf("%s at %d\n", d_path(&getf(arg0)->f_path), getf(5)->f_pos);
	printf("%d %d %d\n", getf(9) == NULL, getf(-1) == NULL,
	    getf(1 << 30) == NULL);
}' -c "$BASH -c 'exec 5<file; read -u 5 x; read -u 5 y'" >out
sed "s|$PWD|HERE|" out | sort -u
"$DTRACE" -qn 'BEGIN { printf("%s\n", d_path(&curthread->fs->root)); exit(0); }'
"$DTRACE" -qn 'BEGIN { d_path((struct path *)8); } BEGIN { exit(0); }' 2>&1
# A pipe is nowhere.
true | "$DTRACE" -qn 'BEGIN { printf("%s %s %s\n", d_path(&getf(0)->f_path),
	fds[0].fi_pathname, d_path(&getf(2)->f_path)); exit(0); }' 2>/dev/null
