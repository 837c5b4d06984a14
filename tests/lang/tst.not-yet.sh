# What is known but not built says so, and with what name.
for f in 'trace(vmregs[1])' 'trace(cpucycles)'; do
	"$DTRACE" -e -x errtags -n "BEGIN { $f; }" 2>&1 | head -n 1 |
		grep -o '\[D_NOTIMPL\].*is not available'
done
