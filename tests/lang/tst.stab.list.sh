# -lv: stability and argument types.
"$DTRACE" -lvn BEGIN
"$DTRACE" -lv -n syscall::read:return | tail -n +3
