/* The option may be smaller, too. */
#pragma D option printsize=7
BEGIN
{
	print(timestamp);
}
