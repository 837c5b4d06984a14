# Operands of every form, as the compiler has chosen them.
noted=${WORKLOAD%/*}/noted
"$DTRACE" -qn '
	noted$target:::registers, noted$target:::memory
	{
		printf("%s: %d %d %d %d %d %d %d %s\n", probename, args[0], args[1],
		    args[2], args[3], args[4], args[5], args[6], copyinstr(args[7]));
	}
	noted$target:::constants
	{ printf("%s: %d %d %x %d\n", probename, args[0], args[1], args[2], args[3]); }
	noted$target:::scaled
	{
		/* 8(table + 8 * 2); a number with a point cannot be had */
		printf("%s: %d %x %d %d %d\n", probename, args[0], args[1], args[2],
		    args[3], args[4]);
	}' -c "$noted" | grep .
"$DTRACE" -lvn 'noted$target:a.out:forms*:memory' -c "$noted" | grep 'args\[' | tr -d '\t'
