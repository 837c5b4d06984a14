/* flags: -q
 * rand() has 32 bits and no sign; of a thousand, one has the highest bit set. */
BEGIN { for (i = 0; i < 1000; i++) { high |= rand(); low += rand() < 0; } }
BEGIN { printf("%d %d %d %d\n", sizeof (rand()), (high >> 31) & 1, high >> 32, low); exit(0); }
