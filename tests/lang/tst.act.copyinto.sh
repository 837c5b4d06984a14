# What the traced process writes, in memory of the clause's own.
"$DTRACE" -qn 'syscall::write:entry /pid == $target/ {
	this->p = (char *)alloca(arg2 + 1);
	copyinto(arg1, arg2 - 1, this->p);
	printf("%s", stringof(this->p));
	copyinto(arg1, 1, this->p + 1);
	printf(" %s\n", stringof(this->p));
}' -c "$BASH -c 'echo hello; echo ab'" >out
grep -v "^hello$\|^ab$" out
