# %T and %Y are in the zone of TZ, of arguments, keys and values.
TZ=XYZ-2 "$DTRACE" -qn 'BEGIN {
	printf("%Y|%T\n", 0, 1600000000000000000);
	@m["a", 0L] = max(1600000000000000000);
	printa("%s|%T|%@Y|%@T|%@d\n", @m);
	printa("%s|%Y|[%@24Y]\n", @m);
	exit(0);
}'
