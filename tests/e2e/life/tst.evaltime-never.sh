# A point that is never reached is an error, and so is one that is not there.
echo 'no program' >garbage
chmod +x garbage
try() {
	"$DTRACE" -q -x evaltime=$1 -n 'BEGIN { printf("not reached\n"); }' -c "$2"
	echo "status $?"
}
try main "$(dirname "$WORKLOAD")/points-bare"
try postinit ./garbage
POINTS_END=1 try main "$(dirname "$WORKLOAD")/points"
