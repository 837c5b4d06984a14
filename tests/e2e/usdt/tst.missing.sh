# What there is not of a description, and what there is instead.
noted=${WORKLOAD%/*}/noted
for d in 'noted$target:::lop' 'noted$target:::zzz' 'note$target:::loop' \
	'noted$target:libc::loop' 'noted$target::main:loop' 'foo$target:::' \
	'noted$target:libnone.so::zzz' 'noted$target:libnone.so::loop'
do
	"$DTRACE" -n "$d" -c "$noted 1" 2>&1 | sed -n '1s/.*: //p' | sed 's/process [0-9]*/process N/'
done
"$DTRACE" -n 'foo$target:::' -c true 2>&1 | sed -n '1s/.*: //p' | sed 's/process [0-9]*/process N/'
# What is not there yet has no types; only of programs is there more to say.
for d in 'nosuch*' nosuch7 nosuch; do
	"$DTRACE" -Zen "$d:::x { trace(args[1]->y); }" 2>&1 | sed -n 's/.*}: //p; /^hint/p'
done
