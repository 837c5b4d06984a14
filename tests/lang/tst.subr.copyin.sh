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
