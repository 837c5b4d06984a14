/* flags: -q
 * The place in the text lasts through the clauses of a firing, no longer. */
BEGIN
{
	self->path = strtok("/usr/bin/ls", "/");
	printf("%s\n", self->path);
}

BEGIN
/(this->part = strtok(NULL, "/")) != NULL/
{
	printf("%s\n", this->part);
}

BEGIN
{
	printf("%s\n", strtok(NULL, "/"));
	exit(0);
}

END
{
	printf("%d\n", strtok(NULL, "/") == NULL);
}
