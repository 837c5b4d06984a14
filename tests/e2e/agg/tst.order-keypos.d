/* flags: -q -x aggsortkey -x aggsortkeypos=1 */
BEGIN
{
	@["b", 2] = sum(1);
	@["a", 3] = sum(2);
	@["c", 1] = sum(0);
	exit(0);
}
