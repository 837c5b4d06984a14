# A document as long as a string may be, and one that is cut.
long=$(printf '%04060d' 0)
for pad in '' 0000000000000000; do
	"$DTRACE" -q -x strsize=4096 -n 'BEGIN {
		printf("%d %d\n", strlen($$1), strlen(json($$1, "first")));
		printf("<%s>\n", json($$1, "last")); exit(0); }' \
		"{\"first\":\"$long$pad\",\"last\":[1,2]}"
done
