/* flags: -q
 * stackindent is how far frames are indented, and stacksymbols=off leaves
 * their names out. */
#pragma D option stackindent=3
#pragma D option stacksymbols=off
BEGIN
{
	stack(2);
	exit(0);
}
