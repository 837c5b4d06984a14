/* No such option. */
#pragma D option nosuch
BEGIN
{
}
