# A tick that is late makes up for it, for a second; the rest is told.
for pause in 0.5 2.5; do
	: >out
	$SIGINT_ON "$DTRACE" -q -x switchrate=20hz -n '
		BEGIN { start = timestamp; }
		tick-100hz { n++; last = timestamp; }
		tick-100hz /n == 1/ { printf("begun\n"); }
		END { printf("ticks %d %d\n", n, (last - start) / 10000000); }' \
		>out 2>err &
	pid=$!
	until_text out begun
	kill -STOP $pid
	sleep $pause
	kill -CONT $pid
	sleep 0.3
	kill -INT $pid
	wait $pid
	awk -v pause=$pause '/^ticks/ { n = $2; due = $3 } /firings? lost/ { lost += $2 }
		END { off = n + lost - due
		print pause, (off >= -2 && off <= 2 ? "all" : n " + " lost " of " due),
			(lost > 0) }' out err
	sed "/firings* lost$/d" err
done
