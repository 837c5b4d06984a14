/* flags: -q
 * Actions of every shape inside of if and loops. */
BEGIN
{
	this->p = (char *)alloca(8);
	this->p[0] = 'a';
	for (i = 0; i < 3; i++) {
		if (i == 1)
			continue;
		print(i);
		tracemem(this->p, 4, i + 1);
		@[i, "turn"] = sum(i);
		if (i) {
			printf("last\n");
			printa("%d %s %@d\n", @);
		} else
			trace("first\n");
	}
	exit(0);
}
