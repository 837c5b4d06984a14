# Flags of D elsewhere are refused, and the reason is told.
for flag in -B -d '-M x' '-W x'; do
	"$DTRACE" $flag -n 'BEGIN { exit(0); }' 2>&1 | grep -o "option $(echo $flag | cut -c 1-2) is not available in this version: .."
	echo "status ${PIPESTATUS[0]}"
done | uniq -c | awk '{ print $2 == "status" ? $0 : $1 " " $3 }'
