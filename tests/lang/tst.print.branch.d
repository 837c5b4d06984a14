/* Only what is reached is printed. */
/* flags: -q */
int x;
BEGIN
{
	if (x)
		print("yes");
	else
		print("no");
	x = 1;
	if (x)
		print(x);
	exit(0);
}
