/* flags: -q
 * The value of ++, --, += and -= of globals and elements: of each size, in tables
 * that something else stores into, and twice in one expression. */
char c; uint16_t s; short ss; uint32_t u; int8_t t8[int]; unsigned char u8[int];
BEGIN { x = n++; y = ++n; z = (n += 5); w = n--; v = (n -= 3); printf("%d %d %d %d %d %d\n", x, y, z, w, v, n); }
BEGIN { c += 100; x = (c += 100); y = c++; printf("%d %d %d\n", x, y, c); }
BEGIN { x = s--; y = --s; printf("%d %d %d\n", x, y, s); x = ss--; y = --ss; printf("%d %d %d\n", x, y, ss); }
BEGIN { x = u--; y = --u; z = u += 3; printf("%d %d %d %d\n", x, y, z, u); }
BEGIN { x = t8[1]++; t8[1] += 126; y = ++t8[1]; printf("%d %d %d\n", x, y, t8[1]); }
BEGIN { x = u8[1]++; u8[1] += 254; y = ++u8[1]; u8[2] += 0; z = (u8[1] += 0); printf("%d %d %d %d\n", x, y, u8[1], z); }
BEGIN { k["a"]++; x = k["a"]++ + ++k["a"]; printf("%d %d\n", x, k["a"]); }
BEGIN { m[1] = 4; x = m[1]++; y = (m[1] += m[1]); printf("%d %d %d\n", x, y, m[1]); }
BEGIN /q++ < 1/ { printf("q %d\n", q); }
BEGIN /q++ < 1/ { printf("no\n"); }
BEGIN { exit(0); }
