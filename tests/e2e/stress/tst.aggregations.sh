# Sixty-four aggregations at once, half of them with keys.
awk 'BEGIN {
	split("count sum min max avg", f)
	print "int i;"
	for (k = 0; k < 64; k++) {
		arg = k % 5 ? "i * " k : ""
		printf "syscall::getppid:entry /pid == $target/ { @a%d%s = %s(%s); }\n",
		    k, k % 2 ? "" : "[i & 1]", f[k % 5 + 1], arg
	}
	print "syscall::getppid:entry /pid == $target/ { i++; }"
	for (k = 0; k < 64; k++)
		printf "END { printa(\"%d %s%%@d\\n\", @a%d); }\n", k,
		    k % 2 ? "all " : "%d ", k
}' >d
"$DTRACE" -q -s d -c "$WORKLOAD getppid:100" | sort -n | sed 1d >out
# All, the even and the odd numbers of 0 to 99.
awk 'BEGIN {
	split("100 4950 0 99 49.5", all)
	split("50 2450 0 98 49", even)
	split("50 2500 1 99 50", odd)
	for (k = 0; k < 64; k++) {
		f = k % 5 + 1
		by = k % 5 ? k : 1
		if (k % 2) {
			print k, "all", int(all[f] * by)
		} else {
			print k, 0, int(even[f] * by)
			print k, 1, int(odd[f] * by)
		}
	}
}' | sort -n >want
diff want out && wc -l <out
