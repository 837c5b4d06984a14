# Options on a first line; comments wherever there may be space.
printf '#!%s -qs\nBEGIN { printf("%%s\\n", $$1); exit(2); }\n' "$DTRACE" > a
printf '#!/usr/bin/env -S %s -q -x strsize=4 -s\n' "$DTRACE" > b
cat >> b <<'END'
/* before */ BEGIN /* between */
/ /* a predicate */ 8 / 4 / /* divided * and / again */ 2 == 1 /
/* none */ { /* in */ trace /* call */ ( /* ( */ "abcdef" /* ) */ ) /* ; */ ;
	exit(0) /* no ; here */ } /* after */
/* last, without a newline */
END
printf '/* end */' >> b
chmod +x a b
./a 'an argument'
echo $?
./b
echo $?
