# The limits of strsize and scratchsize hold for #pragma D option as for -x.  A strsize that
# is too large is lowered.
for size in 1 4097 100m 5000g; do
	for option in strsize scratchsize; do
		[ $option = scratchsize ] && [ $size != 100m ] && continue
		printf '#pragma D option %s=%s\nBEGIN { exit(0); }\n' \
			$option $size > s.d
		$DTRACE -qs s.d 2>&1 && echo "$option=$size passes"
		$DTRACE -qx $option=$size -n 'BEGIN { exit(0); }' \
			2>&1 && echo "-x $option=$size passes"
	done
done | grep . | sort | uniq -c | sed 's/^ *//'
# Cut to that, here: it is of 5,000 bytes, after 4,095 of which the NUL stands.  Who wants sizes
# as they are is refused.
printf '#pragma D option strsize=16K\nBEGIN { s = "%05000d"; printf("%%d\\n", strlen(s)); exit(0); }\n' 0 >s.d
$DTRACE -qs s.d 2>/dev/null
$DTRACE -qx bufresize=manual -s s.d 2>&1
# What is larger than the kernel takes is refused by name, before it is tried.
refused() {
	$DTRACE -x errtags -eqn "struct s { char a[500000000]; }; $1" 2>&1 |
		sed 's/.*}: //'
}
refused 'struct s big; BEGIN { big = *(struct s *)4096; }'
refused 'BEGIN { this->big = *(struct s *)4096; }'
refused 'BEGIN { trace(*(struct s *)4096); }'
refused 'BEGIN { @[*(struct s *)4096] = count(); }'
exit 0
