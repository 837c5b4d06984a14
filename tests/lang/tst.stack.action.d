/* stack() shows the kernel's stack where the probe fired, a frame a line. */
BEGIN
{
	stack();
	exit(0);
}
