# status: 1
exec "$DTRACE" -n 'a:b:c:d:e { exit(0); }'
