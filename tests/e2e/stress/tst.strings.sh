# The largest strings there are, in every field of a record, in keys, variables
# and at the end of a string.
"$DTRACE" -q -x strsize=4096 -n '
string text;
BEGIN { text = "0123456789abcdef"; }
'"$(for ((i = 0; i < 8; i++)); do echo 'BEGIN { text = strjoin(text, text); }'; done)"'
BEGIN { text = substr(strjoin(text, text), 0, 5000); self->s = text; a[text] = 1; }
BEGIN { printf("%d\n", strlen(text)); }
BEGIN { printf("%s%s%s%s%s%s%s%s", text, text, text, text, text, text, text, text); }
BEGIN { printf("\n%d %d %d\n", a[text], self->s == text, strlen(strjoin(text, "x"))); }
BEGIN { @[text] = count(); exit(0); }
END { printa("%s %@d\n", @); }' |
awk '$1 !~ /^0123/ { print; next }
{
	n = length($1)
	whole = gsub(/0123456789abcdef/, "", $1)
	print n, whole, gsub(/0123456789abcde/, "", $1), $1 == "", $2
}'
