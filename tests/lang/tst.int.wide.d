/* flags: -q
 * A value has 64 bits.  Signed arithmetic is not cut to int, and a variable whose
 * type comes from its first assignment keeps all that is assigned later. */
int declared[int];
self int narrow;
inline int OPT = 1 << 35;

BEGIN { x = 0; x = 0x123456789; printf("%x %d\n", x, x); }
BEGIN { self->x = 0; self->x = 0x123456789; printf("%x\n", self->x); }
BEGIN { this->x = 0; this->x = 0x123456789; printf("%x\n", this->x); }
BEGIN { a[1] = 0; a[1] = 0x123456789; printf("%x\n", a[1]); }
BEGIN { self->a["k"] = 0; self->a["k"] = -0x123456789; printf("%d\n", self->a["k"]); }
BEGIN { last = 0; last = timestamp; printf("%d\n", timestamp - last); }
BEGIN { i = 100000; printf("%d %d %d\n", i * i, 100000 * 100000, i * i / i); }
BEGIN { n = 2147483647; n++; printf("%d", n); n = 1; n <<= 40; n += 2; printf(" %d\n", n); }
BEGIN { y = i * i; z = y; printf("%d %d\n", z, (z = y * 2)); }
BEGIN { printf("%d %d\n", x > 2147483647, x == (int)x); }
BEGIN { printf("%d %d\n", x ? i * i : 0, (0, OPT)); }

/* What C cuts. */
BEGIN { declared[1] = i * i; self->narrow = i * i; printf("%d %d\n", declared[1], self->narrow); }
BEGIN { printf("%d %d\n", (int)(i * i), (uint8_t)(i * i)); }
BEGIN { u = 4294967295u; u++; printf("%d %d\n", u, 4000000000u * 2); }

/* By the size of its type, where the type has the value. */
BEGIN { m = 0; m = -1; printf("%x %o %u\n", m, m, m); }
BEGIN { m = -3000000000; printf("%x %d\n", m, m); }
BEGIN { b = (uint8_t)1; b = 300; printf("%d ", b); b = 255; b++; printf("%d %x\n", b, b); }

/* Keys. */
BEGIN { k[i * i] = 5; printf("%d %d\n", k[10000000000], k[1410065408]); }
BEGIN { @["sum"] = sum(x << 4); @["sum"] = sum(i * i); printa("%s %@d\n", @); }
BEGIN { @keys[i * i, m] = count(); @keys[1, -1] = count(); printa("%d %x %@d\n", @keys); exit(0); }
END { clear(@); clear(@keys); trunc(@); trunc(@keys); }
