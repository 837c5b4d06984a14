/* flags: -q */
/* A predicate knows what its body and later clauses assign. */
BEGIN
/!first/
{
	printf("first: %d\n", first);
	first = 7;
}

BEGIN
/!seen[pid] && !self->at && other == NULL/
{
	printf("nothing yet: %d %d \"%s\"\n", seen[pid], self->at, other);
	printf("pairs: %d\n", pairs["a", 1]);
}

BEGIN
{
	seen[pid]++;
	self->at = timestamp;
	other = "something";
	pairs["a", 1] = pid != 0;
}

BEGIN
/seen[pid] == 1 && self->at && other == "something" && pairs["a", 1]/
{
	printf("then all of it: %d\n", first);
	n = 0;
}

/* In a function, behind a declaration, and in a loop. */
BEGIN
{
	printf("%d %d %d\n", by_function, by_local, turns);
}

static void f(int a) { int b = a; by_function = b; }

BEGIN
{
	f(2);
	for (int i = 0; i < 5; i++) {
		by_local = i - 1;
		turns = by_local + 1;
	}
}

BEGIN
{
	printf("%d %d %d\n", by_function, by_local, turns);
	exit(0);
}
