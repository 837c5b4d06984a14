# A program of another user, which takes the place of one that was being looked at: its
# functions are seen, and those of a library that it loads then.
cp "${WORKLOAD%/*}/called" "${WORKLOAD%/*}/libcalled_late.so" .
chown nobody called
chmod 4755 called
chmod 755 .
for way in often load; do
	"$DTRACE" -Zqn 'pid$target:called:leaf:entry, pid$target:libcalled_late:late:entry
		{ printf("%s %d\n", probefunc, curpsinfo->pr_euid != uid); exit(0); }
		tick-10s { exit(1); }' -c "sh -c 'exec ./called $way'"
done
