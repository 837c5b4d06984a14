# -S: DIF of every expression, on standard error.
exec "$DTRACE" -S -q -n 'BEGIN { trace(execname); exit(0); }'
