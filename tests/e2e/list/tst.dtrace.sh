exec "$DTRACE" -l -P dtrace
