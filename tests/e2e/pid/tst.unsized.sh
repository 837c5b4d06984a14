# needs: cc
# Functions of which no symbol says how large they are, as assemblers leave them: what
# returns is found by their code, and not what stands behind them without a name.
[ "$(uname -m)" = x86_64 ] || { echo "only decoded on x86-64"; exit 77; }
cat > unsized.S <<'S'
	.globl large, small, away
	.type large, @function
	.type small, @function
	.type away, @function
large:	test %edi,%edi
	je 1f
	.skip 200, 0x90
	jmp 2f
3:	ret
2:	.skip 20, 0x90
	jmp 3b
1:	ret
nameless:			/* as others that are called */
	ret
small:	jmp 4f
	.skip 40, 0x90
4:	call nameless
	call nameless
	ret
away:	call nameless
	jmp nameless
	.section .note.GNU-stack, "", @progbits
S
sed -i '/^nameless:/s/nameless/.Lnameless/; s/call nameless/call .Lnameless/; s/jmp nameless/jmp .Lnameless+0/' unsized.S
cat > main.c <<'C'
extern void large(int), small(void), away(void);
int main(void)
{
	for (int i = 0; i < 30; i++)
		large(i % 3), small(), away();
	return 0;
}
C
cc -O2 -o unsized main.c unsized.S || exit
"$DTRACE" -q -n 'pid$target:a.out:large:,pid$target:a.out:small:,pid$target:a.out:away:
	/probename == "entry" || probename == "return"/
	{ @[probefunc, probename] = count(); }
	END { printa("%s %s %@d\n", @); }' -c ./unsized | sed "/^$/d" | sort
