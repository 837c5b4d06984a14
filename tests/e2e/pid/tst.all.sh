# Functions of an object in all processes that execute it, now and later; nothing is
# missed of who comes when the file is known.
called=${WORKLOAD%/*}/called
"$called" often & there=$!
cat >many.sh <<EOF
for i in 1 2 3 4 5; do $called leaf:\$((i * 10)) & done
wait
EOF
"$DTRACE" -qn 'pid*:called:leaf:entry /progenyof($target)/
	{ @[probefunc, probename] = count(); @p[probeprov == strjoin("pid", lltostr(pid))] = count(); }
	pid*:called:leaf:return /progenyof($target)/ { @[probefunc, probename] = count(); }' \
	-c "sh many.sh" | awk 'NF { $1 = $1; print }'
# beside one that is named
"$DTRACE" -qn 'pid*:called:leaf:entry /pid == $target/ { @a = count(); }
	pid$target:a.out:leaf:entry { @b = count(); }
	END { printa("%@d %@d\n", @a, @b); }' -c "$called leaf:70"
"$DTRACE" -l -n 'pid*:called:leaf:entry' | awk '/called/ { print $2, $3, $4, $5 }'
kill $there; wait $there || true
# a file that nobody has executed before
cp "$called" fresh
"$DTRACE" -Zqwn 'BEGIN { system("./fresh often >/dev/null 2>&1 & echo $! >pid"); }
	pid*:fresh:leaf:entry { printf("%s\n", execname); exit(0); }' | grep .
kill $(cat pid)
for d in 'pid*:::entry' 'pid*:nosuch::entry' 'pid*:fresh:nosuch:entry'; do
	"$DTRACE" -n "$d" 2>&1 | sed -n '1s/.*entry: //p'
done
# several files of one name
mkdir one two
printf '\n' | cat "$called" - >one/called
cp "$called" two/called
chmod +x one/called
one/called often >/dev/null & a=$!
two/called often >/dev/null & b=$!
"$DTRACE" -qn 'pid*:called:leaf:entry /pid == $1/ { a = 1; } pid*:called:leaf:entry /pid == $2/ { b = 1; }
	tick-10ms /a && b/ { printf("both\n"); exit(0); }' $a $b
kill $a $b
