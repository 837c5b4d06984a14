# $0 is the program's name, a string whatever it looks like; $target without a
# process is 0.
mkdir -p dir
cat > dir/7-up.d <<'END'
#!/usr/sbin/dtrace -s
#pragma D option quiet
inline int TRACED = $target;
BEGIN { printf("%s %s %d %d\n", $0, basename($$0), $target, TRACED); exit(0); }
BEGIN /$target == pid/ { printf("never\n"); }
END { printf("usage: %s\n", $0); }
END
"$DTRACE" -s dir/7-up.d
"$DTRACE" -qn 'BEGIN { printf("%s\n", basename($0)); exit(0); }'
"$DTRACE" -qs dir/7-up.d -c true | grep -c '^dir/7-up.d 7-up.d [1-9]'
