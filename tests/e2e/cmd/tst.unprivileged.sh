# needs: setpriv ldd
# Without privileges: a plain message, not a verifier's.  Root without them, as that of a
# container, is not told to be root.
setpriv --bounding-set=-all --inh-caps=-all "$DTRACE" -n 'BEGIN { exit(0); }'
echo "status $?"
mkdir cmd lib && chmod 711 .		# where anybody may read them
cp "$DTRACE" cmd/dtrace
cp "$(ldd "$DTRACE" | awk '/libdtrace/ { print $3 }')" lib
setpriv --reuid=65534 --regid=65534 --clear-groups cmd/dtrace -n 'BEGIN { exit(0); }'
echo "status $?"
