# Programs of several flags run together, in their order.
echo 'BEGIN { printf("from a file %d\n", $1); }' >a.d
"$DTRACE" -q -x argref -n 'BEGIN { printf("first\n"); }' -s a.d \
	-n 'BEGIN { printf("last\n"); exit(0); }' 42
