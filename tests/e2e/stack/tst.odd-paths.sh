# Names of files with line ends in them, and longer than a line of /proc/PID/maps
# is otherwise; one that looks like a line.
maps='7f0000000000-7fffffffffff r-xp 00000000 00:00 1 '
long=$(printf '\n%.0s' {1..250}; echo x)
name() { "$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/ { @[ustack(1)] = count(); }' \
	-c "'$1/workload' getppid:10" | grep -a '`'; }
for dir in $'line\nend' $'line\n'"$maps" $'\e[31mred' "$long/$long/$long/$long/$maps"; do
	mkdir -p "$dir" && cp "$WORKLOAD" "$dir/workload" && name "$dir"
done
