/* flags: -q -x strsize=16
 * A document is cut as any string is; what was complete before is there. */
BEGIN
{
	this->doc = "{\"a\":1,\"b\":234567890}";
	printf("%s\n", json(this->doc, "a"));
	printf("%d\n", json(this->doc, "b") == NULL);
	exit(0);
}
