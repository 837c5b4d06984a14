# Python: collections of garbage, by generation.
# needs: python3
for python in python3 /usr/bin/python3 ""; do
	"$python" -c 'import sys, sysconfig
sys.exit(not sysconfig.get_config_var("WITH_DTRACE"))' 2>/dev/null && break
done
[ "$python" ] || { echo "no python3 here has probes"; exit 77; }
printf 'import gc\nfor i in range(3):\n    gc.collect(i)\n' >a.py
"$DTRACE" -qn 'python$target:::gc-start { @[arg0] = count(); self->gc++; }
	python$target:::gc-done /self->gc/ { n++; }
	END { printf("%d\n", n); printa(@); }' -c "$python -S a.py" | awk '
	NF == 1 { n = $1 } NF == 2 { sum += $2; has[$1] = 1 }
	END { print n == sum, has[0], has[1], has[2] }'
