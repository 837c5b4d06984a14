# Attributes may stand before the provider that they are of; one must come.
cat > first.d <<'D'
#pragma D attributes Stable/Evolving/ISA provider first args
provider first { probe one(int); };
D
cat > first.c <<'C'
#include "first.h"
int main(void) { FIRST_ONE(1); return 0; }
C
"$DTRACE" -hs first.d && gcc -o first first.c
"$DTRACE" -lvn 'first$target:::' -c ./first | sed -n '/Argument Attributes/,/Class/p'
sed 's/provider first {/provider second {/' first.d > second.d
"$DTRACE" -hs second.d 2>&1 | grep about
