# needs: unshare
# A time namespace has another clock than the kernel's, which records have: the wall clock is
# right all the same, ticks come, stacks have names, and who is held is held no longer or
# shorter than elsewhere.
unshare -T true 2>/dev/null || { echo "no time namespaces here"; exit 77; }
cat >inner <<'EOF'
"$DTRACE" -x follow -x usdtwait=stop -Zqn '
	BEGIN { printf("minutes off %d\n", (walltimestamp / 1000000000 - $1) / 60); }
	pid$target:libc.so.6:__libc_start_main*:entry { @[ustack(1)] = count(); }
	tick-10ms { n++; }
	END { printf("ticks %d\n", n > 0); }' $(date +%s) \
	-c "/bin/sh -c 'for i in 1 2 3 4 5; do /bin/true; done; sleep 0.3'"
EOF
for offset in 1000000 -$(($(cut -d. -f1 /proc/uptime) / 2)); do
	unshare -T --monotonic $offset bash inner >out
	grep -E "minutes|ticks" out
	grep -c __libc_start_main out
done
