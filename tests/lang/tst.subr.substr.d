/* flags: -q
 * As in Perl: a negative start counts from the end, a negative length
 * leaves that many bytes off, and what lies outside is cut off. */
BEGIN
{
	this->s = "foobarbazbop";
	printf("[%s] [%s]\n", substr(this->s, 3), substr(this->s, 3, 3));
	printf("[%s] [%s]\n", substr(this->s, 3, -4), substr(this->s, -10));
	printf("[%s] [%s]\n", substr(this->s, -24, 13), substr(this->s, 300));
	printf("[%s] [%s]\n", substr(this->s, -1, -1), substr(this->s, 9, 300));
	exit(0);
}
