"$DTRACE" -e -n 'BEGIN { printf("never\n"); exit(5); }' 2>/dev/null
echo "status $?"
"$DTRACE" -e -n 'BEGIN { nothing(); }' 2>/dev/null
echo "status $?"
