export DTRACE_OPT_QUIET=yes DTRACE_OPT_STRSIZE=4
"$DTRACE" -n 'BEGIN { trace(strjoin("abc", "def")); exit(0); }'
DTRACE_OPT_PGMAX=3 "$DTRACE" -n 'BEGIN { exit(0); }' 2>&1
"$DTRACE" -x strsize=6 -n 'BEGIN { trace(strjoin("abc", "def")); exit(0); }'
