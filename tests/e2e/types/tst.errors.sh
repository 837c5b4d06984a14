# needs: cc strip
# What is not there, and what is near.
cat >more.c <<'EOF'
_Thread_local int own = 7;
__asm__(".data; .globl untyped; untyped: .long 7; .text");
EOF
cc -g -O1 -o shapes "$HERE/shapes.c" more.c
strip -o bare shapes
try() {
	"$DTRACE" -qn 'syscall::write:entry /pid == $target/ { trace('"$1"'); }' -c ./"${2-shapes}" \
		2>&1 | grep -v '^ ' | sed "s|$PWD/||; s/.*}: //"
}
try '((struct itme *)arg1)->value'
try '((struct a.out`bukcet *)arg1)->value'
try '((leef_t *)arg1)->key'
try '((struct file *)arg1)->our_name'
try '((struct item *)arg1)->nmae'
try 'a.out`countre'
try 'a.out`own'
try '*(int *)&a.out`own'
try 'b.out`counter'
try 'a.out`untyped'
try '((struct item *)arg1)->value' bare
try 'a.out`counter' bare
