# needs: gcc strip nm
# Functions of a stripped program, of which only the unwinding table knows: by the
# address of their first byte, also when they have frames.
cat >p.c <<'END'
__attribute__((noinline)) static int leaf(int x) { __asm__ volatile (""); return x + 1; }
__attribute__((noinline)) static int frame(int x)
{
	volatile int v[4] = { x };
	return leaf(v[0]) + leaf(v[0] + 1);
}
int main(void) { return frame(20) != 43; }
END
gcc -O1 -fno-omit-frame-pointer p.c -o p || exit
leaf=fun.$(nm p | sed -n 's/^0*\([0-9a-f]*\) . leaf$/\1/p')
frame=fun.$(nm p | sed -n 's/^0*\([0-9a-f]*\) . frame$/\1/p')
strip p
"$DTRACE" -qn 'pid$target:a.out:'$leaf':entry { printf("leaf(%d)\n", arg0); }
	pid$target:a.out:'$frame':entry { printf("frame(%d)\n", arg0); }
	pid$target:a.out:'$frame':return { printf("= %d\n", arg1); }' -c ./p
# Who looks for the name is told where it is gone, also who names no object.
"$DTRACE" -qn 'pid$target:a.out:frame:entry { }' -c ./p 2>&1 | sed -n '1{s/: [0-9]* of/: N of/; s/.*frame; //p}'
"$DTRACE" -qn 'pid$target::leaf_of_a_stripped_one:entry { }' -c ./p 2>&1 |
	sed -n '1{s/: [0-9]* of/: N of/; s/.*_one; //p}'
