# More threads at once in a function than some kernels keep returns of: what is not
# counted is told as lost.  And -x verbose tells what the list of functions leaves out.
# timeout: 90
"$DTRACE" -l -n 'fbt::hrtimer_nanosleep:return' >/dev/null 2>err || {
	grep -q 'cannot be probed here' err || cat err
	head -1 err; exit 77
}
"$DTRACE" -vV | grep -q 'kprobe.multi yes' || { echo "nothing tells what is missed"; exit 77; }
cat >sleepers <<'END'
import threading, time
together = threading.Barrier(200)
def sleep():
    together.wait()
    time.sleep(1)
for i in range(200):
    threading.Thread(target=sleep).start()
END
"$DTRACE" -qn '
fbt::hrtimer_nanosleep:entry /pid == $target/ { @n[probename] = sum(1); }
fbt::hrtimer_nanosleep:return /pid == $target/ { @n[probename] = sum(1); }
END { printa("%s %@d\n", @n); }' -c 'python3 sleepers' >out 2>err
awk 'FNR == 1 { file++ }
	file == 1 && NF == 2 { n[$1] = $2 }
	file == 2 && / firings? lost/ { for (i = 1; i < NF; i++) if ($(i + 1) ~ /^firing/) lost += $i }
	END { print (n["entry"] >= 200), (n["return"] > 0),
		(n["entry"] - n["return"] <= lost ? "told" : n["entry"] " " n["return"] " " lost) }' out err
"$DTRACE" -x verbose -qn 'fbt::vfs_read:entry { @ = count(); } BEGIN { exit(0); }' 2>&1 |
	grep -c 'functions of the kernel can be probed; it lists [0-9]* more .* nowhere; [1-9]'
# What a clause itself calls is lost, and -x verbose tells that it was so.
"$DTRACE" -x verbose -qn 'fbt::vfs_read:entry /pid == $target/
	{ @[stringof(args[0]->f_path.dentry->d_name.name)] = count(); }
	fbt::strncpy_from_kernel_nofault:entry { @n = count(); }
	END { trunc(@); trunc(@n); }' -c "$WORKLOAD read:1000:1" >out 2>err
awk '/ of the firings lost are calls of functions while / {
		sub(".*: ", ""); is = $1 }
	/ firings? lost$/ { for (i = 1; i < NF; i++) if ($(i + 1) ~ /^firing/) lost += $i }
	END { print (is >= 1000 && is <= lost ? "nested" : is " " lost) }' err
