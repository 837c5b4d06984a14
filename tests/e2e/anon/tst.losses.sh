# Buffers bound what is kept: what finds no room is counted, or overwrites the oldest.
. "$HERE/anon.sh"
calls=20000
for policy in switch ring; do
	save -q -x bufsize=64k -x bufpolicy=$policy -x cpu=0 -n '
		syscall::getppid:entry /execname == $$1/ { printf("%d\n", n++); }' $me
	begin
	taskset -c 0 "./$me" getppid:$calls
	claim -e >$policy 2>$policy.err
	grep '^[0-9]' $policy >numbers
	echo "$policy: first $(head -1 numbers | grep -x 0), last $(tail -1 numbers | grep -x $((calls - 1)))"
	# What is there is of one piece.
	seq $(head -1 numbers) $(tail -1 numbers) | cmp - numbers
	lost=$(grep -o 'dtrace: [0-9]* drops\?' $policy.err | grep -o '[0-9]*')
	if [ $policy = switch ]; then
		echo "and lost: $(($(wc -l <numbers) + lost == calls))"
	else
		cat $policy.err
	fi
done
over
