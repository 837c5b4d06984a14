# Programs of one command: in order, with one set of variables.
cat > one.d <<'END'
BEGIN { x = 1; printf("one.d %d\n", x); }
END
cat > two.d <<'END'
BEGIN { x++; printf("two.d %d\n", x); }
END { printf("end %d\n", x); }
END
"$DTRACE" -q -s one.d -n 'BEGIN { x += 10; printf("-n %d\n", x); }' -s two.d \
	-n 'END/x == 12/{ printf("last\n"); }' -P 'dtrace/probename == "BEGIN"/
	{ printf("-P\n"); }' -n 'BEGIN { exit(3); }' -n 'BEGIN { printf("never\n"); }'
echo "status $?"
"$DTRACE" -qn 'BEGIN { exit(4); }' -n 'BEGIN { exit(5); }'
echo "status $?"
"$DTRACE" -qn 'END { exit(6); }' -n 'BEGIN { exit(0); }'
echo "status $?"
"$DTRACE" -q -n 'BEGIN { exit(257); }'
echo "status $?"
