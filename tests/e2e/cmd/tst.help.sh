# What was asked for goes to standard output.
"$DTRACE" --help | sed -n '1p'
"$DTRACE" --version | cut -d ' ' -f 1-2
"$DTRACE" -p 4294967297 -n BEGIN 2>&1	# not pid 1
echo "status $?"
