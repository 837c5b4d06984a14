# A row that loops have made goes through every kind of buffer, and as JSON.
program='BEGIN { for (int i = 0; i < 3; i++) for (int j = 0; j < i; j++)
	printf("%d%d ", i, j); exit(0); }'
for policy in switch fill ring; do
	"$DTRACE" -q -x bufpolicy=$policy -n "$program" | head -n 1
done
"$DTRACE" -x oformat=jsonl -n "$program" | grep -o '"value":[0-9]*' | tr '\n' ' '
echo
# Too much for a row is one clear error.
"$DTRACE" -q -n 'BEGIN { for (int i = 0; i < 4096; i++) { s = stringof("x");
	trace(s); } } BEGIN { exit(0); }' 2>&1 | grep -o 'too much recorded.*'
# More than the buffer holds is a drop, counted.
"$DTRACE" -q -x bufsize=4k -n 'BEGIN { for (int i = 0; i < 1000; i++) trace(i); }
	BEGIN { exit(0); }' 2>&1 | grep -o '1 drop on CPU'
