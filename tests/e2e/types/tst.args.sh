# needs: cc
# What functions take and return, with its types and names; what is in registers for
# floats has no word.
cc -g -O1 -o shapes "$HERE/shapes.c"
"$DTRACE" -lvn 'pid$target:a.out:look_at:entry,pid$target:a.out:look_at:return' -c ./shapes |
	grep 'args\['
"$DTRACE" -qn 'pid$target:a.out:look_at:entry {
	printf("%s %s %d ", stringof(args[0]->name), stringof(args[1]), args[2]);
	print(args[4]); }
	pid$target:a.out:look_at:return /args[1]/ {
	printf("%s %d\n", stringof(args[1]->name), args[1]->next->value); }
	pid$target:a.out:look_at:return /!args[1]/ { printf("none\n"); }' -c ./shapes
