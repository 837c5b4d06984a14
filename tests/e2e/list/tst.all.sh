# Numbers ascend; the providers are there; hundreds of system calls.
"$DTRACE" -l >list || exit
tail -n +2 list | awk '$1 <= last { print "out of order:", $0 } { last = $1 }'
awk '{ n[$2]++ } END { print n["dtrace"], (n["syscall"] > 500), (n["profile"] > 5) }' list
