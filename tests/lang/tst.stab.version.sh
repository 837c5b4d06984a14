# Names are there since a version.
try() {
	"$DTRACE" -x version="$1" -qn "BEGIN { $2; exit(0); }" 2>&1 | head -1 |
		sed 's/.*: undefined/undefined/; s/.*: failed/failed/'
}
try 1.0 'trace(strchr("ab", 98))'
try 1.1 'trace(strchr("ab", 98))'
try 1.1 'trace(ustackdepth > 0)'
try 1.2 'trace(ustackdepth >= 0)'
try 1.2 'trace(htons(256))'
try 1.3 'trace(htons(256))'
try 1.5 '@ = stddev(1)'
try 1.6 '@ = stddev(1); printf("stddev")'
try 1.6 '@ = llquantize(1, 10, 0, 2, 10)'
try 1.7 'trace(toupper("a"))'
try 1.8 'trace(toupper("a"))'
try 1.8 'print(1)'
try 1.9 'print(1)'
try 1.10 'trace(strtoll("12"))'
try 1.11 'trace(strtoll("12"))'
try 1.11.0 'trace("three parts")'
try 2.99 'trace(1)' | sed 's/^.*: Requested/Requested/'
