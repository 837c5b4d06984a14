# needs: gcc
# Debugging information that was split, in files beside the program; where these are gone,
# that is told, and lines are known all the same.
D='syscall::write:entry /pid == $target/'
for version in 5 4; do
	gcc -g -gdwarf-$version -gsplit-dwarf -O1 -c "$HERE/words.c" && gcc -o words words.o
	"$DTRACE" -qn 'pid$target:a.out:look:entry { printf("%d %d\n", args[0]->age, args[1]); }' \
		-n "$D"' { printf("%d %d\n", ((struct word *)arg1)->age, a.out`word.age); }' -c ./words
done
rm words.dwo
"$DTRACE" -x ustacklines -qn 'pid$target:a.out:look:entry { ustack(2); }' -c ./words | grep -o 'words`.*'
"$DTRACE" -qn "$D"' { trace(((struct word *)arg1)->age); }' -c ./words 2>&1 |
	sed -n "s|$PWD/||; s/^hint: //p"
