# status: 2
exec "$DTRACE" -@ -n BEGIN
