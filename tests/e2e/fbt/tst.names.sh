# Which there are, by whom, and what -lv says.
# timeout: 90
"$DTRACE" -l -n 'fbt::vfs_read:entry' >out 2>err || {
	grep -q 'cannot be probed here' err || cat err
	head -1 err; exit 77
}
awk '{ print $2, $3, $4, $5 }' out
"$DTRACE" -lvn 'fbt::vfs_read:' | grep -o 'args\[.*'
"$DTRACE" -l -P fbt >all
awk 'NR > 1 { n[$5]++ } END { print (n["entry"] > 10000), (n["return"] > 10000),
	(n["entry"] > n["return"]) }' all
grep -c -e '\.cold' -e __pfx_ -e __cfi_ -e __ftrace_inv all
awk '$4 == "do_exit" || $4 == "panic" { print $5 }' all | sort -u
# Each name once.
awk 'NR > 1 { print $3, $4, $5 }' all | sort | uniq -d
"$DTRACE" -l -n 'fbt::no_such_function:entry' 2>&1 >/dev/null | grep -v ^hint
# Names that are nearly right, though nobody has listed the others.
for d in fbt::vfs_raed:entry fbt:vmlinx:vfs_read:entry 'fbt::vfs_rea*:enrty' fbt:vmlinx::entry; do
	"$DTRACE" -n "$d" 2>&1 | grep -o "did you mean [^,?]*"
done
