/* flags: -q
 * The argument is how many frames are wanted; stackframes, without it. */
#pragma D option stackframes=2
BEGIN
{
	printf("one:");
	stack(1);
	printf("two:");
	stack();
	printf("three:%k", stack(3));
	exit(0);
}
