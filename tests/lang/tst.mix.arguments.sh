# Arguments as they are, as strings; and as what they look like.
"$DTRACE" -qn 'BEGIN { printf("[%s] [%s] [%s]\n", $$1, $$2, $$3); exit(0); }' \
	'two words' '' 'quotes " and \ and $1'
"$DTRACE" -qn 'BEGIN { printf("%d %d %s %d\n", $1, $2, $3, $4 == pid); exit(0); }' \
	-- -5 0x1f '"a string"' pid
for arg in 'two words' '' a-b 4.5; do
	"$DTRACE" -qn 'BEGIN { trace($1); }' "$arg" 2>&1 | sed -n 's/.*: macro/macro/p'
done
cat > script <<'END'
#!/usr/sbin/dtrace -s
/* The options of the first line are for whoever runs it as a command. */
BEGIN { printf("%s %s", $$0, $$1); exit(0); }
END
"$DTRACE" -qs script 'first argument'
