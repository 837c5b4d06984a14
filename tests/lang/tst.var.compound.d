/* flags: -q
 * Assignments are expressions; ++ and the like make a variable of 64 bits. */
int x, y;
BEGIN { x = y = 5; x += 3; x -= 1; x *= 6; x /= 4; x %= 7; printf("%d %d\n", x, y); }
BEGIN { x = 12; x &= 10; x |= 3; x ^= 1; x <<= 4; x >>= 2; printf("%d\n", x); }
BEGIN { x = 5; printf("%d %d\n", x++, x); printf("%d %d\n", --x, x); }
BEGIN { n++; n += 4294967296; printf("%d\n", n); exit(0); }
