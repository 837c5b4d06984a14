# What can be enabled can be listed: several descriptions, macro arguments, a
# script.  Those that match nothing are told, the others are listed.
list() {
	"$DTRACE" -l "$@" 2>&1 | awk '/^dtrace|^hint/ || NR == 1 { print; next }
		{ print $2, $NF }'
	echo "status ${PIPESTATUS[0]}"
}
echo 'BEGIN, absent:::, END { trace($1); }' >x.d
list -n 'BEGIN,END'
list -n 'dtrace:::$1' ERROR
list -s x.d 5
list -P absent -n BEGIN
list -n 'nowhere { exit(0); }'
list -i 99999 | head -n 1
