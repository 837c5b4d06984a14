# The environment, then the program, then the command; the last of two.
prog='BEGIN { trace("abcdefghijkl"); exit(0); }'
DTRACE_OPT_STRSIZE=4 "$DTRACE" -qn "$prog"
DTRACE_OPT_STRSIZE=4 "$DTRACE" -qn "#pragma D option strsize=6
$prog"
DTRACE_OPT_STRSIZE=4 "$DTRACE" -q -x strsize=8 -n "#pragma D option strsize=6
$prog"
"$DTRACE" -q -x strsize=8 -x strsize=10 -n "$prog"
"$DTRACE" -qn "#pragma D option strsize=6
#pragma D option strsize=3
$prog"
DTRACE_OPT_QUIET= "$DTRACE" -n "$prog"
DTRACE_OPT_quiet=yes "$DTRACE" -n "$prog"
DTRACE_OPT_NOSUCH=1 "$DTRACE" -n "$prog" 2>&1
true
