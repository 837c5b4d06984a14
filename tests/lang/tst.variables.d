/* flags: -q */
int declared;
self int thread;
this int local;
string word;
int table[string, int];

BEGIN
{
	printf("%d %d [%s] %d\n", declared, self->thread, word, table["a", 1]);
	declared = 1;
	self->thread = 2;
	this->local = 3;
	word = "four";
	table["a", 1] = 5;
	table["a", 2] = 6;
	table["b", 1] = 7;
}

BEGIN
{
	printf("%d %d %d %s %d %d %d\n", declared, self->thread, this->local,
	    word, table["a", 1], table["a", 2], table["b", 1]);
	table["a", 1] = 0;
	self->thread = 0;
	printf("%d %d %d\n", table["a", 1], table["b", 1], self->thread);
	implied["x"] = "text";
	self->deep[1, "k"] = 9;
	printf("%s [%s] %d %d\n", implied["x"], implied["y"], self->deep[1, "k"],
	    self->deep[2, "k"]);
	exit(0);
}
