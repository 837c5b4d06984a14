/* flags: -q
 * A declared variable keeps its type: what is stored is cut to its size, and read
 * with its sign.  One that is not declared keeps all bits. */
char c;
unsigned char uc;
short s;
uint16_t us;
int i;
uint32_t ui;
int64_t l;
BEGIN { c = 200; uc = 200; s = 40000; us = 40000; }
BEGIN { i = 3000000000; ui = 3000000000; l = 3000000000; }
BEGIN { printf("%d %d %d %d %d %u %d\n", c, uc, s, us, i, ui, l); }
BEGIN { first = 1; first = 4294967301; printf("%d\n", first); exit(0); }
