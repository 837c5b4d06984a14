/* flags: -q
 * ++, --, += and -= as statements, of globals and elements: of every size, in
 * tables that something else stores into, and where an element comes to zero. */
char c; uint16_t s; int i; uint32_t u; int64_t l; _Bool b;
int t[int];
BEGIN { c++; c += 200; s--; i = 2147483647; i++; u--; u += 2; l -= 5; b++; b++; }
BEGIN { printf("%d %d %d %d %d %d\n", c, s, i, u, l, b); }
BEGIN { n++; n += n; n -= 5, n++; m = 0; m += 1 << 40; m--; printf("%d %d\n", n, m); }
BEGIN { t[1]++; t[1] += 2147483647; up[1, "k"]++; up[1, "k"] += 4; up[2, "k"] += 0; }
BEGIN { printf("%d %d %d\n", t[1], up[1, "k"], up[2, "k"]); }
BEGIN { down[3]++; down[3]--; set[1] = 5; set[1]++; set[1] += set[1]; }
BEGIN { printf("%d %d\n", down[3], set[1]); }
BEGIN { zero[1]++; zero[1] += -1; printf("%d ", zero[1]); zero[1]++; printf("%d\n", zero[1]); }
BEGIN { p = (int *)8; p++; q[1] = p; q[1]++; printf("%p %p\n", p, q[1]); }
BEGIN { x = y[1]++ + ++y[1]; printf("%d %d\n", x, y[1]); exit(0); }
