/* flags: -q
 * A clause-local lasts for one firing, through all its clauses. */
this int n;
this string s;
BEGIN { this->n = 4; this->s = "four"; this->implied = (int64_t)1 << 40; }
BEGIN { this->n++; }
BEGIN { printf("%d %s %d\n", this->n, this->s, this->implied); exit(0); }
END { printf("%d [%s] %d\n", this->n, this->s, this->implied); }
