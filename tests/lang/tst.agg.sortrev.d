/* aggsortrev turns the whole order around. */
/* flags: -q -x aggsortrev */
BEGIN
{
	@["a"] = sum(1);
	@["b"] = sum(1);
	@["c"] = sum(2);
	exit(0);
}
