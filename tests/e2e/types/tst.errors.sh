# needs: cc strip
# What is not there, and what is near.
cc -g -O1 -o shapes "$HERE/shapes.c"
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
try '((struct item *)arg1)->value' bare
try 'a.out`counter' bare
