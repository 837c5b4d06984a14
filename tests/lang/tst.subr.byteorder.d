/* flags: -q
 * Numbers in the order of the network, and back (on a little-endian CPU). */
BEGIN
{
	printf("%x %x %x\n", htons(0x1234), htonl(0x12345678),
	    htonll(0x123456789abcdef0));
	printf("%x %x %x\n", ntohs(0x3412), ntohl(0x78563412),
	    ntohll(0xf0debc9a78563412));
	printf("%d %d\n", ntohs(htons(8080)), htons(0x12345678) == 0x7856);
	exit(0);
}
