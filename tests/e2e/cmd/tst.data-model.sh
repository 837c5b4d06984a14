# Programs are for 64 bits.
"$DTRACE" -64 -qn 'BEGIN { printf("%d\n", sizeof (long)); exit(0); }'
"$DTRACE" -32 -qn 'BEGIN { exit(0); }' 2>&1
echo $?
"$DTRACE" -6 -qn 'BEGIN { exit(0); }' 2>&1
echo $?
