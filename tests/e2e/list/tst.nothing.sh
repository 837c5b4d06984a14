# status: 1
exec "$DTRACE" -l -n 'nothing:::here'
