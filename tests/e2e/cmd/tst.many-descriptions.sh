# Very many descriptions of one clause take no time to compile that grows faster than they
# do: of one probe each, and of few.
ticks() { seq -s, -f 'tick-%gms' 50000; }
calls() { yes syscall::read:entry, syscall::write:entry, syscall::wri*:return, | head -n16666; }
for list in ticks calls; do
	(echo "BEGIN,"; $list | sed '$s/,$//'; echo '{ @ = count(); }') >$list.d
	"$DTRACE" -qes $list.d && echo "$list: compiled"
done
