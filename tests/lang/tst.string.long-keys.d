/* flags: -q -x errtags
 * Keys that strsize would make one are two, and whole; what was cut at run time
 * is another, and so is a constant that has no more than is left of them.  Where
 * there is one such constant, it is what the variable is. */
#pragma D option strsize=8
inline string ONE = "abcdefg1";
BEGIN { s = "abcdefg1"; }
BEGIN { @a["abcdefg1"] = sum(1); @a["abcdefg2"] = sum(2); @a["abcdefg"] = sum(4); }
BEGIN { @a["abcdefg, and so on and on and on for more than sixty-four bytes: abcdefg"] = sum(8); }
BEGIN { @a[ONE] = sum(16); @a[s] = sum(32); @a["abc"] = sum(64); @a[execname] = sum(128); }
BEGIN { printa("[%s] %@d\n", @a); }
BEGIN { x["abc", 1] = 1; x[ONE, 1] = 2; x["abcdefg1", 1]++; x["abcdefg2", 1] = 4; x[s, 1] = 5; }
BEGIN { printf("%d %d %d %d\n", x["abc", 1], x["abcdefg1", 1], x["abcdefg2", 1], x["abcdefg", 1]); }
BEGIN { self->t["abcdefg3"] = 6; self->t["abcdefg4"] = 7; }
BEGIN { printf("%d %d %d\n", self->t["abcdefg3"], self->t["abcdefg4"], self->t["abcdefg"]); }
BEGIN { @one["abcdefg1"] = sum(1); @one[s] = sum(2); @one["abcdefX2"] = sum(4); }
BEGIN { printa("[%s] %@d\n", @one); trunc(@a); trunc(@one); n = 1; }
BEGIN { @c[n ? "abcdefg5" : "abcdefg6"] = sum(1); @c[n > 1 ? "abcdefg5" : n ? "abcdefg6" : "z"] = sum(2); }
BEGIN { y[n ? "abcdefg5" : "abcdefg6"] = 8; y[n > 1 ? "abcdefg5" : "abcdefg6"] = 9; }
BEGIN { printa("[%s] %@d\n", @c); printf("%d %d\n", y["abcdefg5"], y["abcdefg6"]); trunc(@c); exit(0); }
