# Each description of a flag's argument ends with the field of the flag.
list() {
	"$DTRACE" -l "$@" | awk 'NR > 1 { print $2, (NF > 3 ? $(NF - 1) : "-"), $NF }'
	echo
}
list -P 'dtrace, profile' | awk '$3 ~ /^[A-Z]|-97$/'
list -f 'getpid,syscall::getppid'
list -f '$1 { trace(1); } /* and */ $2 /0/ { }' getpid getppid
list -m 'dtrace:'
list -n 'dtrace:::BEGIN, getpid:entry'
