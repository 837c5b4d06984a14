/* A value is shown by the name its type was given. */
/* flags: -q */
typedef unsigned long word_t;
typedef struct { int x; } point_t;
word_t x;
point_t p;
BEGIN
{
	print((word_t)7);
	print((pid_t)7);
	print((size_t)7);
	x = 9;
	print(x);
	p.x = 1;
	print(p);
	exit(0);
}
