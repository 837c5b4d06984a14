# status: 2
exec "$DTRACE"
