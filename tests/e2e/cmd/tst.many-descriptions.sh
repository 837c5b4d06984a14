# Very many descriptions of one clause take no time to compile that grows faster than they
# do: of one probe each, and of few.
ticks() { seq -s, -f 'tick-%gms' 50000; }
calls() { yes syscall::read:entry, syscall::write:entry, syscall::wri*:return, | head -n16666; }
for list in ticks calls; do
	(echo "BEGIN,"; $list | sed '$s/,$//'; echo '{ @ = count(); }') >$list.d
	"$DTRACE" -qes $list.d && echo "$list: compiled"
done
# They run, too, as often as a probe takes them; or are refused soon.
"$DTRACE" -ln 'syscall:::entry' | awk 'NR > 1 { names[n++] = $4 }
	END { for (i = 0; i < 50000; i++) print "syscall::" names[i % n] ":entry,"
	print "BEGIN { trace(1); exit(0); }" }' >each.d
"$DTRACE" -qs each.d
"$DTRACE" -qs calls.d 2>&1 | cut -d: -f1-2
