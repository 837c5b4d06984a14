# Flags alone trace nothing; the message is not lost in a list of flags.
for args in -q '-c true' 'script.d' '-x quiet 5'; do
	"$DTRACE" $args 2>&1
	echo "status $?"
done
# Without any probe there is nothing to do: said, with the status of a failure; to
# compile nothing is no failure.
try() {
	timeout 10 "$DTRACE" "$@" 2>&1
	echo "$* = $?"
}
echo 'int x; inline int y = 2; int f(int a) { return a; }' >declarations.d
try -x empty
try -x empty -n ''
try -q -s declarations.d
try -x empty -s declarations.d
try -b 1k -e
try -e -s declarations.d
try -b 1k
