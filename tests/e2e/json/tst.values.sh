# Every kind of output, in one document.
"$DTRACE" -q -O json -n 'BEGIN
{
	trace(-1); trace((uint64_t)-1); trace("a\"b\\c\n"); trace("\xff\xc3\xa4");
	trace(1.5); trace(probename);
	printf("%d and %s\n", 5, "x"); printf("none");
	@c["k", -3] = count(); @c["k", -3] = count();
	@q = quantize(100); @l = lquantize(3, 0, 10, 5); @s["\xfe"] = sum(7);
	printa(@q); normalize(@s, 2);
	@x[1] = sum(10); @x[2] = sum(30); @y[2] = max(4);
	printa("%d: %@d, %@d\n", @x, @y);
	exit(4);
}' >out 2>err || true
python3 "$E2E/../support/jsoncheck.py" out 'json.dumps(outputs)'
python3 "$E2E/../support/jsoncheck.py" out \
	'json.dumps([e["output"] for e in events if e["id"] == -1])'
