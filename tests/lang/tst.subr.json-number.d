/* flags: -q
 * Numbers as they are written. */
BEGIN
{
	this->doc = "[0, -1.5, 2e10, 6.02E+23, true, false]";
	printf("%s %s\n", json(this->doc, "[0]"), json(this->doc, "[1]"));
	printf("%s %s\n", json(this->doc, "[2]"), json(this->doc, "[3]"));
	printf("%s %s\n", json(this->doc, "[4]"), json(this->doc, "[5]"));
	exit(0);
}
