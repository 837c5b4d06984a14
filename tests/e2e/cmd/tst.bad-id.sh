# status: 1
"$DTRACE" -i BEGIN
