/* flags: -q
 * One value of a document; objects and arrays as they stand. */
BEGIN
{
	this->doc = "{\"a\":1,\"b\":{\"c\":[10,20,{\"d\":\"x\"}]},\"e\":null}";
	printf("%s\n", json(this->doc, "a"));
	printf("%s %s\n", json(this->doc, "b.c[1]"), json(this->doc, "b.c.1"));
	printf("%s\n", json(this->doc, "b.c[2].d"));
	printf("%s\n", json(this->doc, "b.c"));
	printf("%s\n", json(this->doc, "e"));
	printf("%s\n", json("[[1,2],[3,4]]", "[1][0]"));
	printf("%d\n", strtoll(json("{\"ok\":{\"val\":7}}", "ok.val")) + 1);
	exit(0);
}
