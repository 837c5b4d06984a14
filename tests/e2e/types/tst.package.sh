# needs: gcc python3
# Debugging information that was split and then put into a package beside the program: its
# types, variables and functions are those of the program, and lines are known.
. "$HERE/package.sh"
reads_packages || { echo "libdw before 0.191 reads no packages"; exit 77; }
for version in 5 4; do
	make_package $version || exit 77
	"$DTRACE" -qn 'pid$target:a.out:look:entry { printf("%d %d\n", args[0]->age, args[1]); }' \
		-n 'syscall::write:entry /pid == $target/ {
			printf("%d %d\n", ((struct word *)arg1)->age, a.out`word.age); }' -c ./words
done
"$DTRACE" -x ustacklines -qn 'pid$target:a.out:look:entry { ustack(2); }' -c ./words | grep -o 'words`.*'
