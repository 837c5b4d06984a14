# needs: strace
# The same counts as strace's, for a program that loads libraries and reads
# directories.  strace leaves out exit_group, which never returns.
strace -c -o counts ls -l /usr >/dev/null
awk '$1 ~ /^[0-9.]+$/ && $NF !~ /^(total|exit_group)$/ { print $NF, $4 }' counts |
	sort >wanted
"$DTRACE" -q -o traced -n '
	syscall:::entry /pid == $target/ { @[probefunc] = count(); }' \
	-c 'ls -l /usr' >/dev/null
awk 'NF && $1 != "exit_group" { print $1, $2 }' traced | sort >got
test -s wanted && diff wanted got
