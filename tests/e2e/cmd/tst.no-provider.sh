# A provider that does not exist is an error, even one that might come with a
# process; unless it is allowed to be missing.
for d in nosuch::: 'nosuch$target:::entry' 'nosuch*:::' 'nosuch1:a:b:c'; do
	"$DTRACE" -n "$d" -c 'touch made' 2>&1 |
		grep -o 'does not match any probes\|no provider called nosuch\|has no probes of that name\|has no static probes'
	echo "status ${PIPESTATUS[0]}"
	"$DTRACE" -qZn "$d" -c true
	echo "status $?"
done
ls made 2>&1 | grep -o 'No such'
