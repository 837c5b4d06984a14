/* flags: -q -x specsize=64
 * Records that do not fit specsize are dropped, and counted.  A record here is
 * 16 bytes, 8 for the speculation and 8 for the number: two fit. */
BEGIN { s = speculation(); }
BEGIN { speculate(s); printf("one %d\n", (int64_t)1); }
BEGIN { speculate(s); printf("two %d\n", (int64_t)2); }
BEGIN { speculate(s); printf("three %d\n", (int64_t)3); }
BEGIN { speculate(s); printf("four %d\n", (int64_t)4); }
BEGIN { commit(s); }
BEGIN { exit(0); }
