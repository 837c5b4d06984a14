/* Without -C there are no conditions. */
#if 1
BEGIN
{
}
#endif
