# timeout: 120
# needs: gcc
# A program that is written over in place has its probes where they belong: its device and
# inode are what they were.
write() {
	{ echo 'int printf(const char *, ...);'
	echo "__attribute__((noinline)) int other(int n) { return $1; }"
	echo '__attribute__((noinline)) int named(int n) { __asm__ volatile(""); return n + 1; }'
	echo 'int main(void) { int n = other(3); for (int i = 0; i < 10; i++) n += named(i); return n == 1; }'
	} >prog.c
	gcc -O1 -o new prog.c
	cat new >prog
}
write n; chmod +x prog
ls -i prog >inode
mv new short
write "n * n * n + 7 * n * n / (n + 2) + n % 5 + 13 * (n - 1) * (n - 1)"
mv new long
cat short >prog
for i in short long short; do echo "cat $i >prog; ./prog"; done >run.sh
"$DTRACE" -x follow -x usdtwait=stop -Zqn 'pid$target:prog:named:entry { @[execname, arg0] = count(); }
	END { printa("%s %d %@d\n", @); }' -c "sh run.sh" | grep . | sort
ls -i prog | cmp - inode
