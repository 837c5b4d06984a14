/* flags: -q
 * Every bit of an id counts: one far behind a speculation's is no speculation. */
BEGIN { s = speculation(); }
BEGIN { speculate(s + (1 << 24)); printf("not run\n"); }
BEGIN { speculate(s + (1 << 16)); printf("not run\n"); }
BEGIN { speculate(s); printf("run\n"); }
BEGIN { discard(s + (1 << 24)); }
BEGIN { commit(s); }
BEGIN { exit(0); }
