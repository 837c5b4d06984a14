/* Parts of clauses that go to different places, under ids of every kind. */
int s, n;
BEGIN { s = speculation(); speculation(); speculation(); }
BEGIN
{
	trace(1);
	if (s) {
		speculate(s);
		trace(2);
		if (n++ & 1) {
			speculate(2);
			trace(3);
		} else {
			commit(1);
		}
		trace(4);
	} else if (n) {
		speculate(3);
		trace(5);
	}
	trace("six");
	if (n > 1) {
		speculate(0);
		trace(7);
	} else
		discard(2);
}
BEGIN { speculate(s); if (n) { trace(8); } trace(9); }
BEGIN { speculate(2); trace("a string that takes more room than there is"); trace(execname); }
BEGIN { commit(s); x = 1 / (n - n); }
BEGIN { speculate(-1); trace(10); }
BEGIN { if (n) speculate(1); }
ERROR { if (s) { speculate(s); trace(arg4); } else commit(-5); }
