"$DTRACE" -q -n '
	syscall::exece:return /progenyof($target) && execname == "true"/ { @ = count(); }' \
	-c "sh -c '/bin/true; :'"
