# On the command line the first line has no number, later ones do.
"$DTRACE" -x errtags -n 'BEGIN { trace(nothing); }'
"$DTRACE" -x errtags -n 'BEGIN {
	trace(nothing); }'
:
