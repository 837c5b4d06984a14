# Libraries that one depends on and that are not there are told of, each, and so is
# what is wrong behind it.
mkdir lib
printf '#pragma D depends_on library absent.d\n#pragma D depends_on library missing.d\ninline int A = 1;\n' >lib/a.d
printf 'inline int B = nothing;\n' >lib/b.d
"$DTRACE" -x errtags -qL lib -n 'BEGIN { trace(C); exit(0); }' 2>&1 |
	grep -o '\[D_[A-Z_]*\].*'
