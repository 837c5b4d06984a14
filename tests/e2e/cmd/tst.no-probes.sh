# Flags alone trace nothing; the message is not lost in a list of flags.
for args in -q '-c true' 'script.d' '-x quiet 5'; do
	"$DTRACE" $args 2>&1
	echo "status $?"
done
