/* flags: -q -x errtags
 * Who asks for a bit that is not set, and writes ! before it, asks for nothing. */
inline int BIT = 64;

BEGIN { x = 3; }
BEGIN /!x & BIT/ { printf("never\n"); }
BEGIN /BIT & !x/ { printf("never\n"); }
BEGIN /!(x & BIT)/ { printf("not set\n"); }
BEGIN /!x & 1/ { printf("nor this\n"); }
BEGIN { printf("%d %d\n", !y & 1, !y & x); y = 0; exit(0); }
