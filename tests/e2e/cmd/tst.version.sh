"$DTRACE" -V
# Its last word is a version of D that can be asked for.
"$DTRACE" -V | (read -r line; exec "$DTRACE" -x version="${line##* }" -qn 'BEGIN { printf("taken"); exit(0); }')
