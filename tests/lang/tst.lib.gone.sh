# Without the folder of libraries what they define is unknown, and it is said why, once
# and only to a program that asks for a name.
mkdir here
cp "$DTRACE" here/dtrace
cp "$(dirname "$DTRACE")"/../lib/libdtrace.so.3 here/
export LD_LIBRARY_PATH=$PWD/here
here/dtrace -qn 'BEGIN { trace("plain"); exit(0); }' 2>&1
here/dtrace -qn 'BEGIN { trace(1); exit(0); }' -n 'BEGIN { x = SIGHUP; y = SIGINT; }' 2>&1 |
	sed "s|$PWD||" | grep -v '^ '
