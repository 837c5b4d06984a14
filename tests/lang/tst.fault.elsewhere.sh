# A fault tells its place, with the name of the file if that is not the script
# itself: in functions and loops, and in all of an included clause.
cat > inc.h <<'END'
int zero;
int quotient(int a)
{
	return a / zero;
}
BEGIN
{
	trace(1 / zero);
}
BEGIN
/1 / zero/
{
}
END
cat > main.d <<'END'
#include "inc.h"
int remainder(int a)
{
	return a %
	    zero;
}
BEGIN
{
	trace(quotient(1));
}
BEGIN
{
	for (int i = 0; i < 2; i++)
		trace(remainder(i));
}
BEGIN { trace(*(int *)8); }
BEGIN { exit(0); }
END
mkdir lib
echo 'int inverse(int a) { return 1 / a; }' > lib/inverse.d

$DTRACE -C -qs main.d 2>&1 | sed 's/.*: //; s/ at DIF offset [0-9]*//'
$DTRACE -Llib -qn 'BEGIN { trace(inverse(0)); } BEGIN { exit(0); }' 2>&1 |
	sed 's/.*: //; s/ at DIF offset [0-9]*//'
