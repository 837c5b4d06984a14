/* flags: -q
 * Addresses of the Internet as text. */
uint8_t v4[4], v6[16];

BEGIN
{
	v4[0] = 192; v4[1] = 168; v4[2] = 0; v4[3] = 1;
	printf("%s %s\n", inet_ntoa(v4), inet_ntop(2, v4));
	v6[15] = 1;
	printf("%s\n", inet_ntoa6(v6));
	v6[0] = 0xfe; v6[1] = 0x80; v6[8] = 2; v6[9] = 0x14;
	printf("%s %s\n", inet_ntoa6(v6), inet_ntop(10, v6));
	exit(0);
}
