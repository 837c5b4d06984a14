BEGIN
{
	trace(timestmp);
	printf("%s\n", arg0);
	curthread->comn;
	@a[1] = count();
	@a[1, 2] = sum(1);
	x = "a" + 1;
}

syscall::raed:entry
{
	panic();
	x = self->y;
}

fbt::part.isra.0:entry
{
	trace(args[0]);
	@b = count();
	@b = max(1);
}
