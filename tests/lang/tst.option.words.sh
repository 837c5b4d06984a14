# How truth and sizes are written.
for v in '' =yes =Enable =enabled =TRUE =on =set; do
	"$DTRACE" -x "quiet$v" -n 'BEGIN { printf("quiet"); exit(0); }'
done
for v in =no =Disable =disabled =FALSE =off =unset; do
	"$DTRACE" -q -x "quiet$v" -n 'BEGIN { exit(0); }' 2>/dev/null | head -1
done
for v in =maybe =2x; do
	"$DTRACE" -x "quiet$v" -n 'BEGIN { exit(0); }' 2>&1
done
for v in 64k 64K 1m 1M 65536; do
	"$DTRACE" -q -x "bufsize=$v" -n 'BEGIN { printf("size"); exit(0); }'
done
"$DTRACE" -x bufsize=1x -n 'BEGIN { exit(0); }' 2>&1
for v in 10 10hz 100ms 100000us 1s 1sec 100000000ns 1min; do
	"$DTRACE" -q -x "switchrate=$v" -n 'BEGIN { printf("rate"); exit(0); }'
done
true
