# A program that is executed by a link is called by the link's name, too, and a script's
# name is not that of its interpreter.
# needs: gcc
cat >p.c <<'EOF'
__attribute__((noinline)) int f(int n) { return n + 1; }
int main(int argc, char **argv) { return f(argc) == argc + 1 ? 0 : 1; }
EOF
gcc -o real p.c || exit 77
ln -s real served
mkdir bin && ln -s ../real bin/other
printf '#!%s/bin/other\n' "$PWD" >script
chmod +x script
count() {
	"$DTRACE" -qn "pid\$target:$2:f:entry { @[\"$2\", probemod] = count(); }" -c "$1" 2>&1 |
		sed -n -e 's/.*executes no object \([a-z]*\) (.*/no \1/p' -e '/^  [^|]*$/p' |
		awk '{ print $1, $2 ($3 ? " " $3 : "") }'
}
count ./served served
count ./served real
count ./served a.out
count ./bin/other other
count "$PWD/bin/other" other
count ./real served
count ./script script
count ./script real
# in stacks it is called so, also when the process has ended
top() {
	"$DTRACE" -qn 'pid$target:real:f:entry { @[ustack(2)] = count(); }' -c "$1" | sed -n 's/^ *\([a-z]*`[a-z]*\).*/\1/p' | paste -sd ' '
}
top ./served
top ./bin/other
top ./real
top ./script
