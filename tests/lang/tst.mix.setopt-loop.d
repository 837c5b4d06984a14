/* flags: -q
 * Options are set as often as a loop says, in order. */
BEGIN
{
	@["a"] = sum(1);
	@["b"] = sum(2);
	for (i = 0; i < 3; i++) {
		setopt("aggsortrev", i & 1 ? "yes" : "no");
		printa("%s", @);
	}
	setopt("aggsortrev");
	printa("%s", @);
	printf("\n");
	exit(0);
}
