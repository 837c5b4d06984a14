# Two traces append to one file: all rows are there, and whole.
for i in 1 2; do
	"$DTRACE" -q -x switchrate=20ms -o file -n "
		syscall::getppid:entry
		/pid == \$target/
		{ printf(\"row $i %d abcdefghijklmnopqrstuvwxyz\\n\", n++); }" \
		-c "$WORKLOAD getppid:50000" 2>err.$i &
done
wait
awk '/^row [12] [0-9]+ abcdefghijklmnopqrstuvwxyz$/ { rows[$2]++; if ($3 != next_[$2]++) wrong++; ok++ }
	END { print NR - ok, ok, wrong + 0 }' file
cat err.*
