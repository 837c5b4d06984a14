# The limits of strsize and scratchsize hold for #pragma D option as for -x.
for size in 1 4097 100m 5000g; do
	for option in strsize scratchsize; do
		[ $option = scratchsize ] && [ $size != 100m ] && continue
		printf '#pragma D option %s=%s\nBEGIN { trace(execname); exit(0); }\n' \
			$option $size > s.d
		$DTRACE -qs s.d 2>&1 && echo "$option=$size passes"
		$DTRACE -qx $option=$size -n 'BEGIN { trace(execname); exit(0); }' \
			2>&1 && echo "-x $option=$size passes"
	done
done | sort | uniq -c | sed 's/^ *//'
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
