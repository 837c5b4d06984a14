/* The same in a table, whose keys are constants by way of a name. */
#pragma D option strsize=8
inline string ONE = "abcdefg1";

BEGIN
{
	x["abc", 1] = 1;
	x[ONE, 1] = 2;
	x["abcdefg1", 1] = 3;
	x["abcdefg2", 1] = 4;
	exit(0);
}
