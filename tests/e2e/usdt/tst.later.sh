# Places that come when tracing has begun; the program waits for its counter.
noted=${WORKLOAD%/*}/noted
sum='{ n++; @s = sum(arg0); } END { printf("%d", n); printa(" %@d\n", @s); }'
# a library that is loaded: nothing is there at first, and beside what is
"$DTRACE" -Zqn 'late$target:::fire '"$sum" -c "$noted load 1000" | grep .
"$DTRACE" -Zqn 'noted$target:::memory, late$target:libnoted_late::fire
	{ @[probeprov == strjoin("late", lltostr($target)), probename, probefunc] = count(); }
	late$target:::fire { @t[copyinstr(arg1)] = count(); }' -c "$noted load 500" |
	awk 'NF { $1 = $1; print }'
# with more keys than one would make room for if nothing fired
"$DTRACE" -Zqn 'late$target:::fire { @[arg0, "key"] = count(); }' -c "$noted load 5000" | grep -c key
# another program, also behind a shell
"$DTRACE" -qn 'noted$target:::loop '"$sum" -c "$noted exec 200" | grep .
"$DTRACE" -Zqn 'noted$target:::loop '"$sum" -c "sh -c 'exec $noted wait 300'" | grep .
# children
"$DTRACE" -qn 'noted$target:::loop /pid != $target/
	{ printf("%d\n", ppid == $target); exit(0); }' -x follow -c "$noted fork 400"
