/* aggsortkeypos says which key comes first; the others follow in a circle. */
/* flags: -q -x aggsortkey -x aggsortkeypos=1 */
BEGIN
{
	@["a", 2] = sum(1);
	@["b", 1] = sum(2);
	@["c", 1] = sum(0);
	exit(0);
}
