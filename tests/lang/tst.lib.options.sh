# Options: none of them, and those of another place.
mkdir lib
printf 'inline int SIGHUP = 1001;\n' >lib/x.d
"$DTRACE" -q -n 'BEGIN { trace(SIGHUP); exit(0); }'
"$DTRACE" -q -x syslibdir=lib -n 'BEGIN { trace(SIGHUP); exit(0); }'
"$DTRACE" -q -x nolibs -n 'BEGIN { SIGHUP = 5; trace(SIGHUP); exit(0); }'
DTRACE_OPT_LIBDIR=lib "$DTRACE" -q -n 'BEGIN { trace(SIGHUP); exit(0); }'
printf '#pragma D option nolibs\n#pragma D option quiet
BEGIN { SIGHUP = 6; trace(SIGHUP); exit(0); }' >x.d
"$DTRACE" -s x.d
printf '#pragma D option libdir=lib\nBEGIN { exit(0); }' >x.d
"$DTRACE" -s x.d 2>err
sed 1q err
