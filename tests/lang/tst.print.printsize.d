/* With the option, values may be larger or must be smaller. */
/* flags: -q -x printsize=20000 */
struct big { int filler[4096]; int last; } big;
BEGIN
{
	big.last = 1;
	print(big.last);
	print(big);
	exit(0);
}
