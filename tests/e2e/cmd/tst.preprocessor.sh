# needs: cpp
# What the preprocessor is told, by flags and by options; several add up.
mkdir a b
echo '#define A 1' >a/a.h
echo '#define B 2' >b/b.h
cat >x.d <<'END'
#include <a.h>
#include "b.h"
#ifndef C
#define C 4
#endif
#define JOIN(x, y) x/**/y
BEGIN { printf("%d\n", A + B + C); exit(0); }
END
try() { "$DTRACE" -q "$@" -s x.d | head -n 1; }
try -C -I a -I b
try -x cpp -x incdir=a -x incdir=b -x define=C=5 -x define=D
try -C -x cppargs='-Ia -Ib -DC=6'
try -C -Ia -Ib -D C=7 -U C
try -C -Ia -Ib -D C=7 -x undef=C
try -C -Ia -Ib -U X -U C -U Y -D C=7
try -C -Ia -Ib -D 'C=JOIN(1,2)' -X s
try -C -Ia -Ib -D 'C=JOIN(1,2)' -x stdc=s
DTRACE_OPT_CPP= DTRACE_OPT_INCDIR=a DTRACE_OPT_CPPARGS=-Ib try
try -C -H -Ia -Ib 2>err && grep '^\. ' err
"$DTRACE" -C -x cpppath=/nonexistent -es x.d 2>&1
"$DTRACE" -C -X q -es x.d 2>&1
# What some editors put first, too.
printf '\xef\xbb\xbf#!/usr/sbin/dtrace -s\nBEGIN { trace(__LINE__); exit(0); }' >x.d
try -C
