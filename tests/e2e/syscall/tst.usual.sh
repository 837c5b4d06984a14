# Calls that the C library does not make: who names one is told of the one that it makes.
tell() { "$DTRACE" -q "$@" -n 'BEGIN { exit(0); }' 2>&1 | grep . ; echo "-- $1 $2"; }
case $(uname -m) in
x86_64) ;;
*) echo "calls that only x86 has"; exit 77 ;;
esac
tell -n 'syscall::open:entry, syscall::open:return { }'
tell -n 'syscall::open64:entry { }'
tell -n 'syscall::*fork*:entry { }' -n 'syscall::lstat:entry { }'
# Those who know.
tell -n 'syscall::open:entry, syscall::openat:entry { }'
tell -n 'syscall::open*:entry { }'
tell -n 'syscall::open:entry { }' -n 'syscall::*at:entry { }'
# A pattern of many, which means none of them.
tell -n 'syscall::s*:entry { }'
tell -n 'syscall:::entry { }'
# Other providers have names like these.
tell -n 'fsinfo:::open { }'
# It is as it says: the library's open() is openat.
"$DTRACE" -qn 'syscall::open:entry, syscall::openat:entry /pid == $target/ { @[probefunc] = count(); }' \
	-c 'cat /dev/null' | awk '{ print $1 }'
tell -n 'syscall::pipe:return, syscall::getrlimit:entry { }'
"$DTRACE" -qn 'syscall::pipe*:entry /pid == $target || ppid == $target/ {
	@[probefunc] = count(); }' -c "bash -c 'sleep 0.001 | cat'" | awk '{ print $1 }' | sort
