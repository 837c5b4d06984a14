# needs: go
# Go: stacks that grow and are moved, goroutines, panics; a function that has to move its
# stack begins twice, and is entered once.  Arguments are in registers of Go's own.
cp "$HERE/stacks.go" .
GOCACHE=$PWD/cache GO111MODULE=off go build -o stacks stacks.go || exit 77
"$DTRACE" -qn 'pid$target:a.out:main.grow:entry,pid$target:a.out:main.grow:return,
	pid$target:a.out:main.thrower*:entry,pid$target:a.out:main.deep:entry,
	pid$target:a.out:main.add:* { @[probefunc, probename] = count(); }' -c './stacks 200' |
	awk 'NF && $2 !~ /^[0-9a-f]*$/ { $1 = $1; print } $2 ~ /^[1-9a-f]/ { n++ } END { print (n > 2) }'
cat sum
"$DTRACE" -qn 'pid$target:a.out:main.pass:entry {
	printf("%d %d %s %d %d %d\n", args[0], args[1], copyinstr(arg2, arg3), args[3], *(char *)copyin(arg5, 1), args[6]->y); }
	pid$target:a.out:main.pass:return { printf("%d\n", (int)arg1); }
	pid$target:a.out:main.deep:entry /args[0] == 0/ { @[ustack()] = count(); }' -c './stacks 1' |
	# Go 1.22 and later name what a statement `go` calls otherwise
	sed 's/+0x[0-9a-f]*//; s/main\.gowrap1$/main.func2/'
# with many functions of the runtime probed nothing changes
"$DTRACE" -qn 'pid$target:a.out:runtime.[mng]*:entry,pid$target:a.out:runtime.[mng]*:return { @[probename] = count(); }' -c './stacks 30' >/dev/null; cat sum
