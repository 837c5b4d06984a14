"$DTRACE" -q -n 'BEGIN { printf("go\n"); }' -c "sh -c 'echo \"a  b\" >made'"
cat made
