/* flags: -q */
/* A variable whose first value is made of its own is a number, or a string. */
BEGIN /early + most["b"] == 0/
{
	early = early + 2;
	self->n = self->n | 4;
	this->s = strjoin(this->s, "s");
	most["a"] = early > most["a"] ? early : most["a"];
	text[pid, "k"] = strlen(text[pid, "k"]) > 3 ? text[pid, "k"] :
	    strjoin(text[pid, "k"], "abc");
	half = (short)half - 1;
}

BEGIN
{
	most["a"] = early > most["a"] ? early : most["a"];
	text[pid, "k"] = strlen(text[pid, "k"]) > 3 ? text[pid, "k"] :
	    strjoin(text[pid, "k"], "abc");
	printf("%d %d %s %d %s %d\n", early, self->n, this->s, most["a"],
	    text[pid, "k"], half);
	printf("%d %d %d\n", sizeof (early), sizeof (most["a"]), sizeof (half));
	exit(0);
}
