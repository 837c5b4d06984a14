/* Several keys stand in one column; without keys there is no share. */
/* flags: -q -x agghist */
BEGIN
{
	@a["cat", 1] = count();
	@b = count();
	exit(0);
}
