# ustacklines shows where in the source each frame is, and what was inlined there as frames
# of their own: in stacks, keys, JSON, folded stacks, flame graphs, saved traces; also where
# the debugging information lies apart.
cp "$HERE/lines.c" .
gcc -g -O2 -o lines lines.c
D='syscall::write:entry /pid == $target && arg2 > 6/'
# what the C library says depends on whether its information is installed
only() { sed -n '/_start/d; s/+0x[0-9a-f]*//; s/^ *\(lines`.*\)/\1/p'; }
echo "= a stack"
"$DTRACE" -x ustacklines -qn "$D { ustack(); exit(0); }" -c ./lines | only
echo "= keys"
"$DTRACE" -x ustacklines -qn "$D { @[ustack()] = count(); }" -c ./lines | only | sort -u
echo "= JSON"
"$DTRACE" -x ustacklines -x oformat=json -qn "$D { ustack(); exit(0); }" -c ./lines | python3 -c '
import json, sys
for p in json.load(sys.stdin)["dtrace"]["probes"]:
    for o in p["output"]:
        for f in o.get("ustack-frames", []):
            if f.get("module") == "lines" and f["name"] != "_start":
                print(f["name"], f["file"].split("/")[-1], f["line"], f.get("inlined"))'
echo "= folded"
"$DTRACE" -x ustacklines -x oformat=folded -qn "$D { @[ustack()] = count(); }" -c ./lines |
	sed -n 's/\(;libc[^;]*\)* \([0-9]*\)$/ \2/; s/.*;\(lines`main.*\) \([0-9]*\)$/\2 \1/p' |
	awk '{ n = $1; $1 = ""; sum[$0] += n } END { for (s in sum) print sum[s] s }' | sort
echo "= flame graph"
"$DTRACE" -x ustacklines -x oformat=flamegraph -qn "$D { @[ustack()] = count(); }" -c ./lines |
	grep -o 'title>lines`[^_]* — [0-9]*'
echo "= saved"
"$DTRACE" -x ustacklines -x save=saved -qn "$D { ustack(); exit(0); }" -c ./lines >live
"$DTRACE" -q -r saved | cmp - live && only <live
echo "= apart"
objcopy --only-keep-debug lines lines.debug
objcopy -S --add-gnu-debuglink=lines.debug lines bare
mv bare lines
"$DTRACE" -x ustacklines -qn "$D { ustack(); exit(0); }" -c ./lines | grep -o '(lines.c:.*'
