# As many clauses as one program of the kernel takes, and more than that.
many() { for ((i = 0; i < $1; i++)); do echo "BEGIN { x$i = $i; }"; done; }
{ many 190; echo 'BEGIN { trace(x7); exit(0); }'; } | timeout 20 "$DTRACE" -qs -
{ many 300; echo 'BEGIN { exit(0); }'; } | timeout 20 "$DTRACE" -qs - 2>err
grep -c '301 clauses share one way of attaching (BEGIN), and 200 can' err
