/* flags: -q
 * A document within a document, once its escapes are gone; and one value after
 * the other. */
BEGIN
{
	this->inner = json("[{\"k\":{\"l\":[true,{\"m\":\"deep\"}]}}]", "[0].k.l[1]");
	printf("%s\n", this->inner);
	printf("%s\n", json(this->inner, "m"));
	exit(0);
}
