# needs: setpriv unshare
# Programs are built without privileges, and where the kernel tells no types.
chmod 777 .
"$DTRACE" -h -s "$HERE/prov.d" -o mine.h
cp "$HERE/prov.d" .
setpriv --reuid=65534 --regid=65534 --clear-groups "$DTRACE" -h -s prov.d -o theirs.h
tail -n +2 mine.h >mine
tail -n +2 theirs.h | cmp - mine && echo unprivileged
mkdir empty
unshare -m sh -c 'mount --bind empty /sys/kernel/btf && "$DTRACE" -h -s "$HERE/prov.d" -o no.h' &&
	tail -n +2 no.h | cmp - mine && echo 'no types'
