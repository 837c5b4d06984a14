echo 'BEGIN { printf("read\n"); exit(0); }' | "$DTRACE" -qs -
echo 'BEGIN { printf("read too\n"); exit(0); }' | "$DTRACE" -qs /dev/stdin
