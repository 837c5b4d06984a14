# needs: gcc
# A function that a signal interrupts at its first instruction is not the one before it.
[ $(uname -m) = x86_64 ] || { echo "the kernel's own code is returned to"; exit 77; }
gcc -O2 "$HERE/interrupted.c" -o interrupted
for how in '' '-x ustacklines'; do
	"$DTRACE" $how -qn 'syscall::getppid:entry /pid == $target/ { ustack(6); }' -c ./interrupted |
		sed -n 's/^ *//; /`handler/,/`main/p' | sed 's/.*`0x.*/restorer/; s/.*`__restore_rt/restorer/; s/+0x[0-9a-f]*//'
done
