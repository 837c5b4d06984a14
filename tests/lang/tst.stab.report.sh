# -v: the least stable of what a program uses.
cat > a.d <<'D'
BEGIN { exit(0); }
syscall::read:entry /curthread != 0/ { @ = count(); }
D
"$DTRACE" -v -e -s a.d
"$DTRACE" -e -x verbose -n 'tick-1s { @[pid] = count(); }'
"$DTRACE" -q -v -n 'dtrace:::BEGIN { exit(0); }'
