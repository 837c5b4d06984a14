/* flags: -q
 * A random UUID. */
BEGIN
{
	this->id = uuidstr();
	printf("%d %s\n", strlen(this->id), substr(this->id, 14, 1));
	printf("%d %d\n", index(this->id, "-"), rindex(this->id, "-"));
	printf("%d\n", uuidstr() != uuidstr());
	exit(0);
}
