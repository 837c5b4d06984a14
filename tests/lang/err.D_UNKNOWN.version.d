/* No compiler knows this version yet. */
#pragma D option version=99.1
BEGIN
{
	trace(1);
}
