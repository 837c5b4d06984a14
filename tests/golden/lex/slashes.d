/* A slash divides, opens a predicate or closes one. */
BEGIN /a/ { b / c; }
BEGIN /a / b/ { c /= d; }
BEGIN/a/{}
BEGIN
/a / /* not { yet */ b / /* but now */
/* and */
{
	x
}
BEGIN /a == "/ {"/ {}
BEGIN /a == '/'/ {}
BEGIN /(a) / (b) > 1/
{}
END /last/
