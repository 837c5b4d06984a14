# timeout: 120
# Room for tables is given back: after many programs that were large for it, each of which
# has ended, the last has whole stacks as the first has.  (bash has no frame pointers; the
# stack of a call of its own is more than main's.)
cat >many.sh <<'END'
for i in 01 02 03 04 05 06 07 08 09 10 11 12 13 14; do
	cp /bin/bash many$i
	./many$i -c 'for n in 1 2 3 4 5 6; do kill -0 $$; sleep 0.05; done'
	rm many$i
	sleep 1
done
END
"$DTRACE" -x unwindsize=2m -x unwindcache=none -qn 'syscall::kill:entry
	/progenyof($target) && arg1 == 0/ { @[execname] = max(ustackdepth); }
	END { printa("%s %@d\n", @); }' -c "sh many.sh" | grep . | sort >out
wc -l <out
first=$(awk 'NR == 1 { print $2 }' out)
awk -v first=$first '$1 == "many14" { print (($2 == first && $2 > 4) ? "whole" : "cut: " first " and " $2) }' out
