# A description that matches nothing names what it may have meant.
"$DTRACE" -n 'syscall::getppidd:entry { exit(0); }' 2>err
echo "status $?"
grep -o 'syscall:[a-z]*:getppid:entry' err | head -n 1
"$DTRACE" -n 'BEGINN { exit(0); }' 2>err
grep -o 'dtrace:::BEGIN\b' err | head -n 1
