# status: 1
"$DTRACE" -q -x cpu=9999 -n 'BEGIN { exit(0); }'
