# People, that is a terminal, are told once what would lose less; files are not.
cat >lose.d <<'EOF'
#pragma D option quiet
#pragma D option aggsize=1k
BEGIN { speculation(); speculation(); speculation(); }
BEGIN { for (int i = 0; i < 1000; i++) @[i] = count(); exit(0); }
EOF
python3 -c 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' \
	"$DTRACE" -s lose.d | tr -d '\r' | grep -E 'hint|failed'
"$DTRACE" -s lose.d 2>&1 | grep -E 'hint|failed'
