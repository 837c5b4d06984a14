# A library that is wrong, or cannot be had, is named.
mkdir lib empty
printf 'inline int A = 1;\ninline int B = ;\n' >lib/bad.d
"$DTRACE" -x errtags -qL lib -n 'BEGIN { exit(0); }' 2>err && exit 1
cat err
"$DTRACE" -qL nosuch -n 'BEGIN { exit(0); }' && exit 1
rm lib/bad.d
printf 'BEGIN { exit(0); }\n' >lib/clause.d
"$DTRACE" -qL lib -n 'BEGIN { exit(0); }' 2>&1 | sed 1q
# One that nobody named is looked at when something of it is wanted.
printf 'inline int A = nothing;\n' >lib/clause.d
"$DTRACE" -q -x syslibdir=lib -n 'BEGIN { trace("fine"); exit(0); }'
"$DTRACE" -q -x syslibdir=lib -n 'BEGIN { trace(A); exit(0); }' 2>&1 | sed 1q
rm lib/clause.d
truncate -s 5M lib/big.d
"$DTRACE" -x errtags -q -x syslibdir=lib -n 'BEGIN { trace(A); exit(0); }' 2>&1 |
	sed 1q
