# A description that matches nothing names what it may have meant.
"$DTRACE" -n 'syscall::getppidd:entry { exit(0); }' 2>err
echo "status $?"
grep -o 'syscall:[a-z]*:getppid:entry' err | head -n 1
"$DTRACE" -n 'BEGINN { exit(0); }' 2>err
grep -o 'dtrace:::BEGIN\b' err | head -n 1

# Fields in the wrong places, and a provider that there is not.
"$DTRACE" -n 'syscall:write:entry' 2>&1 | grep hint
"$DTRACE" -n 'syscall:::getppid { exit(0); }' 2>&1 | grep hint
"$DTRACE" -n 'nosuch:::start' 2>&1 | grep hint
