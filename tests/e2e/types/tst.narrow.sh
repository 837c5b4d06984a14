# needs: gcc
# Types of a program of 32 bits: pointers, structs and arguments are its own, and say the
# same as those of one of 64 bits, in registers and on the stack.
gcc -g -O1 -o wide "$HERE/narrow.c"
gcc -m32 -g -O1 -o narrow "$HERE/narrow.c" 2>/dev/null || { echo "no compiler for programs of 32 bits"; exit 77; }
./narrow >/dev/null 2>&1 || { echo "this kernel runs no programs of 32 bits"; exit 77; }
look() {
	rm -f own
	"$DTRACE" -o own -qn '
	pid$target:a.out:both:entry {
		printf("%d %d %d %s\n", args[0]->next->value, args[0]->next->big,
		    args[0]->next->more, stringof(args[0]->next->name));
		printf("%d %d %d\n", args[1], args[0] == &a.out`first, args[0]->next->next == NULL);
		this->n = &args[0]->numbers[1];
		printf("%d %d\n", *this->n, (int)(this->n - args[0]->numbers));
		self->p = args[0]->next;
		kept[args[0]] = args[0]->name;
		copied[0] = *args[0];
	}
	pid$target:a.out:both:return { printf("%s %d\n", self->p->name == NULL ? "" : stringof(self->p->name),
		copied[0].big); }
	pid$target:a.out:plain:entry { printf("%d %d %s\n", args[0]->next->value, args[1],
		stringof(kept[args[0]])); a.out`last.next == NULL ? trace("no next") : trace("?"); }
	pid$target:a.out:plain:return { printf("\n%d\n", args[1]); }
	pid$target:a.out:quick:entry { printf("%s %d %d %d\n", stringof(args[0]->name), args[1],
		args[2], args[3]); }
	pid$target:a.out:wide:entry { printf("%s %d\n", stringof(args[1]), args[2]); }' -c ./$1 >/dev/null 2>$1.err
	cat own $1.err | grep .
}
look wide >of.wide
look narrow | tee of.narrow
diff of.wide of.narrow && echo "as with 64 bits"
"$DTRACE" -o sizes -qn 'pid$target:a.out:plain:entry { printf("%d %d %d\n", sizeof(struct a.out`node), sizeof(a.out`first.next),
	sizeof(a.out`first.value)); print(*(struct a.out`pair *)&a.out`last.value); exit(0); }' -c ./narrow >/dev/null
grep . sizes
# what takes two words is no argument as they are counted
"$DTRACE" -lvn 'pid$target:narrow:wide:' -c ./narrow | grep args
