# Every firing of four threads is there; the program knows that it is traced, and
# only of what is.
noted=${WORKLOAD%/*}/noted
"$DTRACE" -qn 'noted$target:::loop { n++; @n = count(); @s = sum(arg0); @l = max(args[0]); }' \
	-c "$noted 50000" | grep .
"$DTRACE" -qn 'noted$target:::same { @ = count(); }' -c "$noted" | grep .
"$noted"
