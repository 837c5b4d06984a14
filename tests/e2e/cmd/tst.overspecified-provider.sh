# More colons than the flag allows: what is told is what was typed.
for args in "-P a:b" "-m a:b:c" "-f a:b:c:d" "-P syscall:::"; do
	"$DTRACE" $args 2>&1
	echo "status $?"
done
"$DTRACE" -f ' a:b:c:d /pid/ { exit(0); }' 2>&1
echo "status $?"
