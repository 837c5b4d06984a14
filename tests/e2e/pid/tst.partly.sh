# A file whose other names cannot be read: who asks for a function that is not among the
# known ones is told so.
# needs: objcopy gcc
echo 'int main(void) { return 0; }' | gcc -x c - -o prog
echo 'this is no xz' >names
objcopy --add-section .gnu_debugdata=names prog
"$DTRACE" -n 'pid$target:a.out:mian:entry' -c ./prog 2>&1 |
	sed -n 's/.* has no function/no function/p'
