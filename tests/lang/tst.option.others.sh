# Options that mean something to other systems are a warning, wherever they are set,
# and the program goes on; a name in the wrong case is told.
for o in linkmode=dynamic linktype=dof pgmax=16 zone=global aggpercpu lockmem=unlimited \
	knodefs late=static; do
	"$DTRACE" -q -x $o -n 'BEGIN { printf("ran"); exit(0); }' 2>&1
done
cat >many.d <<'EOS'
#!/usr/sbin/dtrace -s
#pragma D option quiet
#pragma D option pgmax=32
#pragma D option bufsize=64k

#pragma D option noerror
BEGIN { printf("ran"); exit(0); }
EOS
"$DTRACE" -s many.d 2>&1
"$DTRACE" -x errtags -s many.d 2>&1 >/dev/null
"$DTRACE" -x BUFSIZE=1m -n 'BEGIN { exit(0); }' 2>&1
"$DTRACE" -q -n 'BEGIN { setopt("zone", "x"); exit(0); }' 2>&1
