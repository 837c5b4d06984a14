/* A predicate is an integer or pointer. */
BEGIN
/execname/
{
}
