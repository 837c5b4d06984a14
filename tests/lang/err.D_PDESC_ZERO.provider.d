/* No such provider. */
nosuch:::probe
{
}
