# Bytes and strings of the process, as a system call is given them.
cat > script.d <<'END'
syscall::openat:entry
/progenyof($target) && basename(copyinstr(arg1)) == "some-file"/
{
	printf("%s\n", copyinstr(arg1));
	printf("%s\n", copyinstr(arg1, 6));
	this->c = (char *)copyin(arg1, 4);
	printf("%c%c\n", this->c[0], this->c[3]);
	exit(0);
}
END
"$DTRACE" -qs script.d -c 'cat /nowhere/some-file' 2> /dev/null
# What is copied ends there, also as a string, whatever stood behind.
"$DTRACE" -q -n 'syscall::write:entry /pid == $target && arg0 == 1/ {
	for (int i = 0; i <= 9; i++) {
		this->s = strjoin("ssssssssssssssssssss", "tttttttttttttttttttt");
		printf("[%s]\n", stringof(copyin(arg1, i)));
	}
} syscall::write:entry /pid == $target && arg0 == 1/ { copyin(arg1, -1); }
ERROR { printf("fault %d\n", arg4); }' -c 'echo abcdefghij' 2>/dev/null
# An empty string has no bytes to copy.
"$DTRACE" -q -n 'syscall::openat:entry
	/pid == $target && copyinstr(arg1) == ""/ { printf("empty\n"); exit(0); }' \
	-c 'cat ""' 2>/dev/null
