# Only the command line and the program itself open the door to destructive
# actions: neither the environment nor a library does.
try() { "$DTRACE" -q "$@" 2>&1; echo "status $?"; }
mkdir lib
cat >lib/door.d <<'END'
#pragma D option destructive
inline int door = 1;
END
system='BEGIN { system("echo done"); exit(0); }'
try -n "$system"
DTRACE_OPT_DESTRUCTIVE= try -n "$system"
DTRACE_OPT_DESTRUCTIVE=1 try -wn "$system"
DTRACE_OPT_DESTRUCTIVE=off try -n "$system"
try -L lib -n "BEGIN { trace(door); } $system"
DTRACE_OPT_DESTRUCTIVE=0 try -wn "$system"
try -x destructive -n "$system"
echo "#pragma D option destructive
$system" >x.d
try -s x.d
