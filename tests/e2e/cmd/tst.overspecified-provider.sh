# status: 1
exec "$DTRACE" -P 'a:b'
