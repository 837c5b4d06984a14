/* flags: -q
 * What stands between the quotes, escapes and all. */
BEGIN
{
	this->doc = "[\"a\\nb\", \"\\u00e9\\\"\", \"\", \"{\"]";
	printf("%s\n", json(this->doc, "[0]"));
	printf("%s\n", json(this->doc, "[1]"));
	printf("[%s] [%s]\n", json(this->doc, "[2]"), json(this->doc, "[3]"));
	exit(0);
}
