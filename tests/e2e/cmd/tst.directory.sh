# status: 0
# What freopen() cannot open is an error when it runs, and the output stays.
mkdir sub
for name in . .. sub/ nowhere/file; do
	"$DTRACE" -wqn "BEGIN { freopen(\"$name\"); printf(\"still here\n\"); exit(0); }" 2>&1
done
