/* flags: -q
 * Constants are as wide as addresses and times are, whatever their type. */
inline int EIGHT = 8;
inline unsigned char ONES = 255;

BEGIN
{
	printf("[%p] [%#p] [%p] [%p]\n", 0, 48879, -1, 'a');
	printf("[%p] [%p] [%d]\n", EIGHT, (unsigned)-1, EIGHT);
	printf("[%p] [%d]\n", ONES, ONES);
	printf("[%a] [%A] [%a]\n", 16, 17, EIGHT + sizeof (int));
	printf("[%Y] [%Y]\n", 0, -1000000000);
	exit(0);
}
