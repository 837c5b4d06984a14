# Time passes in the probe; more than half a second of each second on a CPU is
# refused.
before=${EPOCHREALTIME/./}
"$DTRACE" -qw -n 'BEGIN { chill(200000000); printf("one\n"); }
	BEGIN { chill(200000000); printf("two\n"); }
	BEGIN { chill(200000000); printf("three\n"); }
	BEGIN { exit(0); }' 2>&1
echo $(((${EPOCHREALTIME/./} - before) / 400000 > 0))
"$DTRACE" -qwn 'BEGIN { chill(500000001); } BEGIN { chill(-1); }
	BEGIN { chill(0); exit(0); }' 2>&1
