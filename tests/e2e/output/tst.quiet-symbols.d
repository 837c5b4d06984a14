/* flags: -q
 * Symbols have their columns under -q, too, but not where a format prints them. */
BEGIN
{
	sym((uint64_t)&`schedule);
	trace("|");
	mod((uint64_t)&`schedule);
	trace("|");
	usym(0x1234);
	trace("|");
	uaddr(0x1234);
	trace("|");
	umod(0x1234);
	printf("|%s|%a|\n", sym((uint64_t)&`schedule), mod((uint64_t)&`schedule));
	exit(0);
}
