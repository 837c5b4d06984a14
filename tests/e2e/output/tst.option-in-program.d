#pragma D option quiet
#pragma D option strsize=8

BEGIN
{
	trace(strjoin("abcdef", "ghijkl"));
	exit(0);
}
