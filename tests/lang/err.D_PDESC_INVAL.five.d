/* Five fields. */
a:b:c:d:e
{
}
