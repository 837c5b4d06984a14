"$DTRACE" -q -P dtrace'/probename == "BEGIN"/ { printf("P\n"); }' \
	-f 'getppid/0/ {}' -m 'dtrace:/0/ {}' -i '1 { printf("i\n"); exit(0); }'
