# status: 1
exec "$DTRACE" -n 'syscall::getpid:nothing { exit(0); }'
