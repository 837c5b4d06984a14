# What there is not of a description, and what there is instead.
noted=${WORKLOAD%/*}/noted
for d in 'noted$target:::lop' 'noted$target:::zzz' 'note$target:::loop' \
	'noted$target:libc::loop' 'noted$target::main:loop' 'foo$target:::' \
	'noted$target:libnone.so::zzz' 'noted$target:libnone.so::loop'
do
	"$DTRACE" -n "$d" -c "$noted 1" 2>&1 | sed -n '1s/.*: //p' | sed 's/process [0-9]*/process N/'
done
"$DTRACE" -n 'foo$target:::' -c true 2>&1 | sed -n '1s/.*: //p' | sed 's/process [0-9]*/process N/'
