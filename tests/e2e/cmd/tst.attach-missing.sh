# status: 1
exec "$DTRACE" -n 'BEGIN {}' -p 4194303
