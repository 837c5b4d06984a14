# -o appends; what the command says itself stays on standard error.
echo before >file
"$DTRACE" -q -o file -n 'BEGIN { printf("traced\n"); exit(0); }'
cat file
