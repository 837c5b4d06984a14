# What is no saved trace, or not whole, says so; what there is of it is shown.
"$DTRACE" -q -x save=saved -n 'BEGIN { printf("first\n"); }
	tick-10ms { printf("tick %d\n", i++); } tick-10ms /i == 9/ { exit(3); }' >live
echo "status $?"
"$DTRACE" -r saved >again 2>&1
echo "status $?"
cmp live again && echo same
size=$(stat -c %s saved)
# Wherever it is cut off: no crash, and a beginning of the same text.
for ((n = 0; n < size; n += size / 97)); do
	head -c $n saved >cut
	"$DTRACE" -q -r cut >part 2>err
	status=$?
	[ $status = 1 ] || echo "cut at $n: status $status"
	cmp -n "$(stat -c %s part)" live part >/dev/null || echo "cut at $n: another text"
done
head -c $((size - 100)) saved >cut
"$DTRACE" -q -r cut >/dev/null
"$DTRACE" -r /dev/null
"$DTRACE" -r missing
echo "BEGIN { }" >text.d
"$DTRACE" -r text.d 2>&1 | sed 's/text.d: .*trace/text.d: this is no saved trace/;s/: it .*//'
"$DTRACE" -r saved -n BEGIN
echo "status $?"
printf 'DTSAVED\n\4\3\2\1\143\0\0\0' >other
head -c 100 /dev/zero >>other
"$DTRACE" -r other
"$DTRACE" -x save=/nowhere/file -q -n "BEGIN { exit(0); }"
"$DTRACE" -q -x save=small -x savesize=4k -n 'BEGIN { printf("begin\n"); }
	tick-1ms { printf("%d\n", i++); }' >/dev/null 2>err
echo "status $?"
grep -v 'firings* lost' err >&2
