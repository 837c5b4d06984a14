# needs: gcc
# Types in units of their own, of which the others have only the signature.
for version in 5 4; do
	gcc -g -gdwarf-$version -fdebug-types-section -O1 "$HERE/words.c" -o words
	"$DTRACE" -qn 'pid$target:a.out:look:entry { printf("%d %d\n", args[0]->age, args[1]); }' \
		-n 'syscall::write:entry /pid == $target/ {
			printf("%d %d\n", ((struct word *)arg1)->age, a.out`word.age); }' -c ./words
	"$DTRACE" -lvn 'pid$target:a.out:look:entry' -c ./words | grep 'args\[0'
done
