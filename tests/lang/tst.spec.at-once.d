/* flags: -q
 * One that has ended is free again when commit() or discard() returns, any
 * number of times. */
int n;
BEGIN
{
	for (this->i = 0; this->i < 3000; this->i++) {
		this->s = speculation();
		n += this->s;
		if (this->i % 1000 == 999) {
			speculate(this->s);
			printf("%d: %d\n", this->i, this->s);
		}
		commit(this->s);
	}
}
BEGIN { a = speculation(); }
BEGIN { speculate(a); printf("dropped\n"); }
BEGIN { discard(a); b = speculation(); }
BEGIN { speculate(b); printf("kept\n"); }
BEGIN { commit(a); }
BEGIN { printf("%d %d %d\n", n, a, b); exit(0); }
