# A program in "..." has lost its quotes and what followed a $; the hint says so.
try() { "$DTRACE" -qen "$@" 2>&1 | sed -n '1s/.*: //p; /^hint/p'; }
try "BEGIN { printf("%d\n", 1); exit(0); }"
try "BEGIN { printf("hello world"); }"
try "syscall:::entry /pid == $nothing/ { @ = count(); }"
try "BEGIN { x = $nothing; exit(0); }"
try "BEGIN { trace($nothing, 1); exit(0); }"
try "BEGIN { trace(1\n); exit(0); }"

# Other mistakes are the writer's.
try 'BEGIN { printf("%d\n", ); }'
try 'BEGIN { x = $target + ; }'
try 'BEGIN { x = 1 y = 2; }'
try 'BEGIN { trace(1; }'
echo 'BEGIN { x = ; }' >s.d
"$DTRACE" -es s.d 2>&1 | grep -c ^hint
exit 0
