# What is no D, though it is elsewhere, and how it is said in D.
for p in 'static int e; BEGIN { }' 'BEGIN { x = &pid; }' 'BEGIN { x = &`jiffies; }' \
	'BEGIN { delete a[1]; }' 'BEGIN { sleep(1); }' 'BEGIN { trace(now); }' \
	'BEGIN { trace(pc); }' 'char *s; BEGIN { s = "hello"; }' 'BEGIN { @a[1] = count(); } END { printa(a); }' \
	'inline int f(int x) = x; BEGIN { trace(f(1)); }' \
	'inline int f[int x] = x; BEGIN { trace(f(1)); }' \
	'BEGIN if (1) { }' 'BEGIN/*(int *)0/ { }' 'BEGIN { } /*' 'BEGIN/1/ /2/ { }' 'BEGIN/1//2/ { }'; do
	"$DTRACE" -en "$p" 2>&1 | sed -n '1s/.*: //p; /^hint/p'
done
# What a shell takes apart, and what lacks its flag.
echo 'BEGIN { exit(0); }' >there.d
for args in 'BEGIN { exit(0) }' 'BEGIN /1/ {exit(0)}'; do
	"$DTRACE" -en $args 2>&1 | sed -n '1s/.*: //p; /^hint/p'
done
"$DTRACE" -en 'BEGIN { trace($1); }' -n END 7 2>&1 | sed '1s/.*: //'
"$DTRACE" 'BEGIN { exit(0) }' 2>&1
"$DTRACE" -q there.d 2>&1
true
