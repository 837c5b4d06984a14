# The very last turn that all loops of a clause may take, and the last record
# that fits what a clause may record: one more of each is a fault.
turns() {
	"$DTRACE" -q -x loopmax=2000000 -n "int n; BEGIN {
		for (i = 0; i < $1; i++) n++; } BEGIN { printf(\"%d\n\", n); exit(0); }" 2>&1 | grep .
}
records() {
	"$DTRACE" -q -x loopmax=2000000 -n "BEGIN { for (int i = 0; i < $1; i++)
		printf(\"%d\n\", i); } BEGIN { exit(0); }" 2>&1 | grep . | tail -n 1
}
turns 1048576
turns 1048577
records 16383
records 16384
