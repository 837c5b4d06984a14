# A constant that is too long for any expression: the limit is named, and the
# excerpt has a length, too.
printf 'BEGIN { trace("%0100000d"); exit(0); }' 1 >x.d
"$DTRACE" -qs x.d 2>err
echo "status $?"
cut -c 1-120 err
wc -c <err | awk '{ print ($1 < 1000) }'
