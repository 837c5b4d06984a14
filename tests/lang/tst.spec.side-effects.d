/* flags: -q
 * Variables and aggregations are changed at once, also when what was
 * recorded is discarded. */
BEGIN { s = speculation(); n = 0; }
BEGIN { @["counted"] = count(); speculate(s); n++; printf("gone\n"); n++; }
BEGIN { discard(s); }
BEGIN { printf("%d\n", n); exit(0); }
