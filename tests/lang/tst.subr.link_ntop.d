/* flags: -q
 * Hardware addresses: of Ethernet 6 bytes, of InfiniBand 20. */
uint8_t mac[20];

BEGIN
{
	mac[0] = 0x52; mac[1] = 0x54; mac[3] = 0xab; mac[4] = 0x0c; mac[5] = 0xff;
	printf("%s\n", link_ntop(1, mac));
	printf("%s\n", link_ntop(32, mac));
	exit(0);
}
