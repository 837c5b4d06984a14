# status: 1
exec "$DTRACE" -x nosuch=1 -n 'BEGIN { exit(0); }'
