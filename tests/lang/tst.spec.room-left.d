/* flags: -q -x specsize=88 -x nspec=1
 * A record that finds no room in its speculation takes none: a smaller one
 * behind it has what is left, to the last byte.  What a speculation held is free
 * for the next.  A record here is 24 bytes, and 8 for each number. */
BEGIN { s = speculation(); }
BEGIN { speculate(s); printf("one %d\n", 1L); }
BEGIN { speculate(s); printf("too long %d %d %d %d %d\n", 1L, 2L, 3L, 4L, 5L); }
BEGIN { speculate(s); printf("two %d %d %d %d\n", 1L, 2L, 3L, 4L); }
BEGIN { speculate(s); printf("three %d\n", 3L); }
BEGIN { commit(s); }
BEGIN { s = speculation(); speculate(s); printf("lost %d %d\n", 1L, 2L); }
BEGIN { discard(s); }
BEGIN { s = speculation(); }
BEGIN { speculate(s); printf("four %d\n", 4L); }
BEGIN { speculate(s); printf("five %d %d %d %d\n", 1L, 2L, 3L, 4L); }
BEGIN { speculate(s); printf("six %d\n", 6L); }
BEGIN { commit(s); }
BEGIN { exit(0); }
