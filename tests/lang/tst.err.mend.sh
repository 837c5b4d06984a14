# What is no D, though it is elsewhere, and how it is said in D.
for p in 'static int e; BEGIN { }' 'BEGIN { x = &pid; }' 'BEGIN { x = &`jiffies; }' \
	'BEGIN/1//2/ { }' 'BEGIN /pid == 1 // mine
/ { }' 'BEGIN { x = 1; // mine
}'; do
	"$DTRACE" -en "$p" 2>&1 | sed -n '1s/.*: //p; /^hint/p'
done
