/* With aggsortkey by key. */
/* flags: -q -x aggsortkey */
BEGIN
{
	@[10] = sum(1);
	@[9] = sum(3);
	@[-1] = sum(2);
	exit(0);
}
