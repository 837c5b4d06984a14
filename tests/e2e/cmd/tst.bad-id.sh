# status: 2
"$DTRACE" -i BEGIN
