# Memory of the traced process is written to, where the kernel lets a program do
# that; elsewhere that is said before anything runs.
"$DTRACE" -vV | grep -q '^user memory writes *yes' && can=1
cat >names <<'END'
read -r line <input
echo "$line"
END
echo hello >input
"$DTRACE" -qwn 'syscall::read:entry /pid == $target/ { self->buf = arg1; }
syscall::read:return /self->buf && pid == $target && arg1 == 6/ {
	copyoutstr("bye", self->buf, 3);
	copyout(&curthread->comm[1], self->buf + 3, 2);
	self->buf = 0;
}' -c "$BASH names" >out 2>&1
if [ "$can" ]; then
	grep -qx byeas out || cat out	# bash
else
	grep -qx 'dtrace: could not enable tracing: copyout( ) and copyoutstr( ) are refused: .*' out || cat out
fi
"$DTRACE" -qn 'BEGIN { copyout(curthread, 0, 8); }' 2>&1 | grep -o 'Destructive.*'
"$DTRACE" -qn 'BEGIN { copyoutstr("x", 0, 8); }' 2>&1 | grep -o 'Destructive.*'
