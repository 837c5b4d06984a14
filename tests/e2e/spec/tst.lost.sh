# A commit that finds the ring full is not lost, nor what it commits.
for ((i = 0; i < 16; i++)); do
	large+='BEGIN { printf("%s\n", text); } '
	small+='BEGIN { printf("%d\n", (int64_t)7); } '
done
"$DTRACE" -q -x bufsize=4k -n "
	string text;
	BEGIN { text = \"row\"; s = speculation(); }
	BEGIN { speculate(s); printf(\"kept\n\"); }
	$large $small
	BEGIN { commit(s); }
	BEGIN { exit(0); }" >out 2>err
grep -c 'drops on CPU' err
grep -c row out
tail -n 2 out
# Its id is freed, too.
"$DTRACE" -q -x bufsize=4k -n "
	string text;
	int n;
	BEGIN { text = \"row\"; s = speculation(); }
	BEGIN { speculate(s); printf(\"kept\n\"); }
	$large $small
	BEGIN { commit(s); }
	tick-50ms { s = speculation(); }
	tick-50ms /s/ { speculate(s); printf(\"again\n\"); }
	tick-50ms /s/ { commit(s); }
	tick-50ms /n++ > 4/ { exit(0); }" 2>/dev/null | tail -n 3
