# Stacks are whole from the first instruction on: of a command, of what it executes
# (the file's table is known by then), and of a script's interpreter.
[ "$(uname -m)" = x86_64 ] || { echo "tables are searched on x86-64"; exit 77; }
keys() { # depths of the stacks of main()'s calls; how many firings
	"$DTRACE" -qn 'syscall::getppid:entry /progenyof($target) && execname == "first"/
		{ @[ustack()] = count(); n++; } END { printa("%k%@d calls\n", @); }' -c "$1" |
		awk '/_start\+/ { starts++ } /main\+/ { mains++ }
			/ calls$/ { keys++; calls += $1 }
			END { print keys, mains == keys, starts == keys, calls }'
}
cp "$WORKLOAD" first
keys './first getppid:500'
cat >script <<'S'
#!./first getppid:500
S
chmod +x script
keys "sh -c 'exec ./first getppid:500'"
