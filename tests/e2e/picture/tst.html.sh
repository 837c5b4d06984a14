# Tables of aggregations, the events, what went wrong; and a map of a histogram
# that was printed more than once.
"$DTRACE" -q -O html -n 'BEGIN { printf("a <b>&\n"); @n["k<", 1] = sum(20); @n["l", 2] = sum(5);
	@q = quantize(4); printa(@q); clear(@q); }
BEGIN { trace(1 / (int)arg0); }
BEGIN { @q = quantize(64); @q = quantize(64); printa(@q); exit(0); }' >out 2>/dev/null
python3 "$E2E/../support/pagecheck.py" out 'headings'
python3 "$E2E/../support/pagecheck.py" out 'tables[0][1][2].split(": ", 2)[2].split(" at DIF")[0],
	[row[:3] for row in tables[1]], [row[-1] for row in tables[-1]]'
python3 "$E2E/../support/pagecheck.py" out '[t.split(" s, ")[1] for t in titles[1:]]'
"$DTRACE" -q -O html -n 'END { }' -c true >out
python3 "$E2E/../support/pagecheck.py" out '"Nothing was traced" in page'
