# needs: gcc
# Lines of many programs are known, and only a few of their files stay open.
gcc -g -O1 -o lines "$HERE/lines.c"
cat >run <<'END'
for i in $(seq 700); do
	ln lines many$i
	./many$i
done
# some are closed while they are looked at
ls -l /proc/$PPID/fd 2>closed | grep -c "$PWD/many" >fds
END
"$DTRACE" -x ustacklines -x switchrate=20hz -x bufsize=4m -o out \
	-qn 'syscall::write:entry /progenyof($target) && arg2 > 6/ { ustack(2); }' -c 'sh run'
grep -o "lines.c:[0-9]*)" out | sort | uniq -c
# 256 have their lines, and as many their symbols
(($(cat fds) <= 512)) || echo "$(cat fds) descriptors"
