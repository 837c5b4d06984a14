# A program of many lines that fails is called by its first, not echoed whole; a
# script by its name.
"$DTRACE" -n '
	BEGIN
	{
		one = two;
	}'
"$DTRACE" -n 'BEGIN { trace(nowhere); }'
"$DTRACE" -n 'BEGIN { stop();
	exit(0); }'
printf 'BEGIN\n{\n\tone = two;\n}\n' >x.d
"$DTRACE" -s x.d
:
