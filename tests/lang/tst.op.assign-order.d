/* flags: -q
 * The left side of op= is read before the right side changes it, as by gcc. */
struct { int a; unsigned b : 4; } s;
int twice(int by) { n += by; return n; }
BEGIN { i = 4; i += i++; printf("%d\n", i); }
BEGIN { i = 4; i += ++i; printf("%d\n", i); }
BEGIN { i = 4; i -= (i = 1); printf("%d\n", i); }
BEGIN { self->i = 4; self->i *= self->i++; printf("%d\n", self->i); }
BEGIN { a["k"] = 4; a["k"] += a["k"]++; printf("%d\n", a["k"]); }
BEGIN { s.a = 4; s.a += s.a++; s.b = 3; s.b += s.b--; printf("%d %d\n", s.a, s.b); }
BEGIN { n = 10; n += twice(5); printf("%d\n", n); }
BEGIN { i = 1; b[1] = 7; b[i++] += i; printf("%d %d\n", b[1], i); exit(0); }
