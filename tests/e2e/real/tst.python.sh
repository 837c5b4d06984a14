# Python: the flow of a script.  (3.11 has function-entry fire for functions that Python
# calls only while line is traced, too; 3.12 and later have neither.)
# needs: python3 readelf
for python in python3 /usr/bin/python3 ""; do
	"$python" -c 'import sys, sysconfig
sys.exit(not sysconfig.get_config_var("WITH_DTRACE"))' 2>/dev/null && break
done
[ "$python" ] || { echo "no python3 here has probes"; exit 77; }
readelf -n "$("$python" -c 'import os, sys; print(os.path.realpath(sys.executable))')" 2>/dev/null |
	grep -q function__entry || { echo "this python3 has no probe function-entry"; exit 77; }
cat >a.py <<'END'
def leaf(n):
    return n

def twice(n):
    return leaf(n) + leaf(n)

class Thrower:
    def throw(self):
        raise ValueError

twice(1)
try:
    Thrower().throw()
except ValueError:
    pass
END
"$DTRACE" -Fn 'python$target:::function-entry, python$target:::function-return
	/basename(copyinstr(arg0)) == "a.py"/ { printf("%s:%d", copyinstr(arg1), arg2); }' -c "$python -S a.py" 2>told |
	awk 'NR > 1 && NF { sub(/^ *[0-9]+/, ""); sub(/[a-z_A-Z.0-9]*:function/, "F")
	# its own function, which is known where debugging information is installed
	if (match($0, /dtrace_function_[a-z_.0-9]*/)) {
		blanks = substr($0, RSTART, RLENGTH)
		gsub(/./, " ", blanks)
		$0 = substr($0, 1, RSTART - 1) blanks substr($0, RSTART + RLENGTH)
	}
	print }'
