# A part of the probe's name is a string like any: as long as strsize lets it
# be, also as a key; rows show all of it.
"$DTRACE" -x strsize=4 -n 'BEGIN, END { trace(probeprov); trace(probename); }
	BEGIN { @[probename, probemod] = count(); printf("%s", probeprov); exit(0); }
	END { @[probename, probemod] = count(); print(probename); }' 2>/dev/null | sed "s/^ *[0-9]*//"
