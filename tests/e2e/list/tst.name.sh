exec "$DTRACE" -l -n BEGIN
