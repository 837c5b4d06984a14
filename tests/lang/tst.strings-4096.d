/* flags: -q -x strsize=4096
 * Strings of 4095 bytes and an end: they are joined, kept, compared, looked
 * at, keys, and cut where there is more. */
string s;
string kept[string];

BEGIN
{
	s = "0123456789abcdef";
	s = strjoin(strjoin(s, s), strjoin(s, s));
	s = strjoin(strjoin(s, s), strjoin(s, s));
	s = strjoin(strjoin(s, s), strjoin(s, s));
	printf("%d\n", strlen(s));
}

BEGIN
{
	self->long = strjoin(strjoin(s, s), strjoin(s, s));
	printf("%d %s\n", strlen(self->long), substr(self->long, -3));
	printf("%d %d\n", rindex(self->long, "cde"), index(self->long, "x"));
	printf("%s\n", substr(toupper(self->long), 4085));
}

BEGIN
{
	s = strjoin(substr(self->long, 0, 4090), ",tail");
	printf("%s\n", basename(strjoin(substr(s, 0, 4000), "/last")));
	this->first = strtok(s, ",");
	printf("%d %s\n", strlen(this->first), strtok(NULL, ","));
	printf("%d\n", self->long < s);
}

BEGIN
{
	kept[self->long] = "one";
	kept[s] = "other";
	printf("%s %s\n", kept[self->long], kept[s]);
	@[self->long] = count();
	@[s] = count();
	@[self->long] = count();
	printa("%@d\n", @);
	clear(@);
	trunc(@);
	exit(0);
}
