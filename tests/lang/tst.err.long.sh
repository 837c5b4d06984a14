# Whatever a message quotes, it is one that can be read.
for d in '#pragma D option %s\nBEGIN { }' 'BEGIN { trace(%s); }' 'BEGIN { trace(this->%s); }'; do
	printf "$d" "$(printf '%05000d' 0 | tr 0 q)" | "$DTRACE" -es - 2>&1 |
		sed -n '1 { s/q\{1000,\}/Q/; p; }'
done
