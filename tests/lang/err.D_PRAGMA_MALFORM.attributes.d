/* Foo is no stability. */
#pragma D attributes Foo/Bar x
BEGIN
{
}
