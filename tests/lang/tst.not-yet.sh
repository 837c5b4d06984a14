# What is known but not built says so, and with what name.
for f in 'curpsinfo->pr_pid'; do
	"$DTRACE" -x errtags -n "BEGIN { $f; }" 2>&1 | head -n 1 |
		grep -o '\[D_NOTIMPL\].*is not available'
done
