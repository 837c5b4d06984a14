/* flags: -x errtags
 * status: 1 */
BEGIN
{
	printf("%d", 1, 2);
}
