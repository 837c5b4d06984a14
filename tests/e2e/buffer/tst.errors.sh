# What buffers that are read only at the end cannot do.
for policy in fill ring; do
	"$DTRACE" -q -x bufpolicy=$policy -n 'BEGIN { speculation(); }'
	"$DTRACE" -q -x bufpolicy=$policy -x bufsize=4k -x strsize=4096 \
		-n 'BEGIN { trace(cwd); }'
	"$DTRACE" -q -x bufpolicy=$policy -x bufsize=4k -x strsize=2048 \
		-n 'END { trace(cwd); } END { trace(cwd); }'
done 2>&1
# A record that is larger than a buffer is always lost.
"$DTRACE" -q -x bufsize=4k -x strsize=4096 -n 'BEGIN { trace(cwd); }' 2>&1
true
