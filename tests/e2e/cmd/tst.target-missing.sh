# status: 1
exec "$DTRACE" -n 'BEGIN {}' -c /nonexistent/command
