BEGIN
{
	if (pid == 1)
		trace(1);
	else if (pid == 2) {
		x = 2;
		if (tid)
			printf("%s %d\n", probefunc, x);
	} else
		@ = count();
	exit(0);
}
