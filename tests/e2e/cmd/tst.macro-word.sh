# A word given as $1 is a name; whoever means text is told how to have it.
for arg in execname hello; do
	"$DTRACE" -qn 'BEGIN { printf("%s\n", $1); exit(0); }' $arg 2>&1
done
"$DTRACE" -qn 'BEGIN { printf("%s\n", $$1); exit(0); }' hello
