/* flags: -q
 * The older addresses within the newer. */
uint8_t v6[16];

BEGIN
{
	v6[10] = v6[11] = 0xff;
	v6[12] = 127; v6[15] = 1;
	printf("%s\n", inet_ntop(10, v6));
	v6[10] = v6[11] = 0;
	printf("%s\n", inet_ntop(10, v6));
	v6[12] = 0;
	printf("%s\n", inet_ntop(10, v6));
	v6[12] = 127; v6[9] = 1;
	printf("%s\n", inet_ntop(10, v6));
	v6[9] = 0; v6[10] = v6[11] = 0xff;
	v6[0] = 1;
	printf("%s\n", inet_ntop(10, v6));
	exit(0);
}
