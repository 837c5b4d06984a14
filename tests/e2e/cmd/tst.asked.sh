# A library that asks what the kernel has does not have the command run to where its own
# types could be asked for: its execve() is the first that is traced.
mkdir lib
echo 'inline int MAY = __either(curthread->nosuch, 1);' >lib/x.d
"$DTRACE" -qL lib -n 'BEGIN { printf("%d\n", MAY); }
	proc:::exec-success /pid == $target/ { printf("%s\n", execname); }' -c true
