# needs: gcc objcopy strip
# Functions of a stripped program whose symbols lie apart: by the link that it has, and
# by its build id.
cat >p.c <<'END'
__attribute__((noinline)) static int hidden(int x) { __asm__ volatile (""); return x + 1; }
int main(void) { return hidden(41) != 42; }
END
gcc -g -O1 -Wl,--build-id p.c -o p && objcopy --only-keep-debug p p.debug &&
	strip p && objcopy --add-gnu-debuglink=p.debug p || exit
"$DTRACE" -qn 'pid$target:a.out:hidden:entry { printf("%s(%d)\n", probefunc, arg0); }
	pid$target:a.out:hidden:return { printf("= %d\n", arg1); }' -c ./p
mv p.debug away
"$DTRACE" -xerrtags -qn 'pid$target:a.out:hidden:entry' -c ./p 2>&1 | sed -n 's/.*\(\[D_[A-Z_]*\]\).*/\1/p'
mkdir .debug && mv away .debug/p.debug
"$DTRACE" -qn 'pid$target:a.out:hidden:entry { printf("%s(%d)\n", probefunc, arg0); }' -c ./p
# One of another build is not taken.
sed -i 's/41/43/; s/42/44/' p.c && gcc -g -O2 -Wl,--build-id p.c -o other && objcopy --only-keep-debug other .debug/p.debug || exit
"$DTRACE" -xerrtags -qn 'pid$target:a.out:hidden:entry' -c ./p 2>&1 | sed -n 's/.*\(\[D_[A-Z_]*\]\).*/\1/p'
