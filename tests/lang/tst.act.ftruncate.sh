# A file loses what is in it; a pipe cannot.
program='BEGIN { printf("gone\n"); ftruncate(); printf("stays\n"); exit(0); }'
"$DTRACE" -qn "$program" >file
cat file
echo older >named
"$DTRACE" -q -o named -n "$program"
cat named
"$DTRACE" -qn "$program" | cat
