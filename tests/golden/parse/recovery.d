/* One error for each mistake; what is sound stays. */
int before = 3;
int kept;
BEGIN
{
	a = ;
	kept;
	f(1, ;
	kept;
	for (i = 0; i < 10 i++) { b; c; }
	kept;
	if (x +) { y; } else { z; }
	kept;
	"one" two;
	int inside;
	kept # and a comment of another language
}
nonsense here { x; }
END /x +/ { kept }
struct s { int a; b; } broken;
END { (foo)x; kept }
BEGIN {
	never closed
