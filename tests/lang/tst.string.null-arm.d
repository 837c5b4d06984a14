/* flags: -q
 * An arm of ?: may be NULL where the other is a string, as with pointers. */
string table[int];

BEGIN
{
	one = 1;
	s = one ? "yes" : NULL;
	n = one ? NULL : "no";
	table[1] = one ? execname : 0;
	table[2] = !one ? execname : 0;
	printf("[%s] [%s] %d %d\n", s, n, s == NULL, n == NULL);
	printf("[%s] [%s] %d\n", table[1], table[2], table[2] == NULL);
	printf("[%s] [%s]\n", one ? NULL : "x", one ? "x" : NULL);
	trace(one == 2 ? "x" : NULL);
	@[one ? NULL : "key"] = count();
	printf("[%s] %d\n", strjoin(one ? "a" : NULL, "b"),
	    (one ? NULL : "x") == (one ? NULL : "y"));
	this->w = one == 1 ? (one == 2 ? NULL : "deep") : NULL;
	printf("[%s] [%s]\n", this->w, stringof(one ? NULL : "z"));
	exit(0);
}
