# status: 1
exec "$DTRACE" -s nothing.d
