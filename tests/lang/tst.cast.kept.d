#pragma D option quiet

/* Text that a probe makes as it fires is kept, though a script keeps its address, which
 * elsewhere is the kernel's for longer. */
BEGIN
{
	args_of[pid, 1] = (char *)strjoin("some ", "arguments");
	name = (char *)basename("/usr/bin/program");
	self->first = (char *)substr("a first word", 2, 5);
	this->p = (char *)strjoin("only ", "here");
	printf("%s %c\n", this->p + 5, *this->p);
}

BEGIN
{
	this->text = strjoin("what comes later ", "lies in that place");
	printf("%s\n", this->text);
	printf("%s, %S, %s\n", args_of[pid, 1], stringof(name), (string)self->first);
	other = args_of[pid, 1];
	args_of[pid, 1] = 0;
	name = 0;
	printf("%s %d %d\n", other, args_of[pid, 1] == NULL, name == NULL);
	exit(0);
}
