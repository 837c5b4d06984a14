/* flags: -q
 * Once cleaned, an id may be used again, and again. */
int n;
tick-20ms /n < 4/ { s = speculation(); }
tick-20ms /n < 4/ { speculate(s); printf("round %d with id %d\n", n, s); n++; }
tick-20ms /n == 2/ { discard(s); }
tick-20ms /n != 2/ { commit(s); }
tick-20ms /n == 4/ { exit(0); }
