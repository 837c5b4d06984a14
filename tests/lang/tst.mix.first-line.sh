# Flags on a first line are one argument of Linux; other systems divide them.
for flags in '-C -s' '-q -x strsize=64 -s' '-Zq  -C	-D X=1 -s' -Cqs; do
	printf '#!%s %s\n#pragma D option quiet\nBEGIN { trace($$1); exit($2); }\n' \
		"$DTRACE" "$flags" > a
	chmod +x a
	./a 'two words' 3
	echo "status $?"
done
# Only those of a first line.
echo 'BEGIN { exit(0); }' > b
"$DTRACE" '-q -s' b 2>&1 | head -n 1 | sed 's/.*dtrace: //'
"$DTRACE" '-q -s' nosuch 2>&1 | head -n 1 | sed 's/.*dtrace: //'
