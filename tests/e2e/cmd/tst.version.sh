exec "$DTRACE" -V
