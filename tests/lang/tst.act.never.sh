# What cannot be on this system says why, with -w or without.
for f in 'panic()' 'breakpoint()' 'pcap(0, 1)' 'trace(msgsize(0))' \
	'trace(msgdsize(0))' 'trace(ddi_pathname(0, 1))' \
	'trace(copyoutmbuf(0, 1))' 'trace(sx_isexclusive(0))' 'trace(jid)'; do
	"$DTRACE" -w -x errtags -n "BEGIN { $f; }" 2>&1 | head -n 1 |
		grep -o '\[D_NOTIMPL\].*'
done
