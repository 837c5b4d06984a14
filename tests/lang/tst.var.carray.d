/* flags: -q
 * C arrays are declared, and have a fixed size. */
int a[5];
char letters[4];
uint64_t squares[3];
int i;
BEGIN { a[0] = 1; a[4] = 5; i = 2; a[i] = a[0] + a[4]; a[i + 1] = a[i] * 2; }
BEGIN { printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], a[4]); }
BEGIN { letters[0] = 'o'; letters[1] = 'k'; letters[2] = 0; printf("%s\n", stringof(letters)); }
BEGIN { squares[2] = 1; squares[2] <<= 63; printf("%u %d\n", squares[2], sizeof (squares)); exit(0); }
