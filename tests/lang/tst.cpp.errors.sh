# Lines and files are those that people see; what cpp says is passed on.
cat > bad.h <<'D'
inline int GOOD = 1;
inline int BAD = nothing;
D
cat > a.d <<'D'
#!/usr/sbin/dtrace -s

#include "bad.h"
BEGIN { exit(GOOD); }
D
cat > b.d <<'D'
#define TWO 2 \
	+ 0


BEGIN { exit(TWO + nothing); }
D
echo '#error stop here' > c.d
first() { "$DTRACE" "$@" 2>&1 | grep dtrace:; }
first -Cs a.d
first -Cs b.d
first -C -x cpppath=/no/such/cpp -s b.d
first -Cs c.d
"$DTRACE" -Cs c.d 2>&1 | grep -c 'c.d:1.*stop here'
mkdir inc && mv bad.h inc && sed -i 's/nothing/2/' inc/bad.h
"$DTRACE" -q -C -I inc -H -s a.d 2>&1 | grep -v '^Multiple'
echo "status ${PIPESTATUS[0]}"
"$DTRACE" -x cpp -x incdir=inc -x define=exit=exitt -s a.d 2>&1 | head -n 1
"$DTRACE" -X s -C -D 'J(a,b)=a/**/b' -n 'BEGIN { exit(0); }' -q
