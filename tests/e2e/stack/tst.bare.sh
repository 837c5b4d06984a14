# needs: cc
# Code of which no .eh_frame tells has its whole stacks all the same: those of the same
# program with one.
[ "$(uname -m)" = x86_64 ] || { echo "only decoded on x86-64"; exit 77; }
cp "$HERE/bare.c" .
for kind in told bare; do
	case $kind in
	told) flags=;;
	bare) flags="-fno-asynchronous-unwind-tables -fno-unwind-tables";;
	esac
	mkdir $kind
	# shellcheck disable=SC2086
	cc -O2 -fomit-frame-pointer $flags -o $kind/bare bare.c || exit
	"$DTRACE" -q -x stackindent=2 -n '
		syscall::write:entry /pid == $target && (int)arg0 == -1/
		{ @[ustack()] = count(); }' -c ./$kind/bare > $kind/stacks || exit
	sed 's/0x7f[0-9a-f]*/somewhere/' $kind/stacks | sort | uniq -c > $kind/frames
	[ $(grep -c 'bare`main' $kind/stacks) -ge 7 ] && [ $(grep -c 'bare`deep' $kind/stacks) -ge 3 ] &&
		! grep 'by frame pointer' $kind/stacks && echo whole
done
cmp told/frames bare/frames && echo same
