# needs: go
# Structs, variables and lines of Go, whose functions take their arguments in registers of
# their own.
[ "$(uname -m)" = x86_64 ] || { echo "only known of x86-64"; exit 77; }
cp "$HERE/item.go" .
GOCACHE=$PWD/cache GO111MODULE=off go build -o item item.go || exit 77
"$DTRACE" -qn 'pid$target:a.out:main.Show:entry {
	this->i = (struct main::Item *)uregs[R_RAX];
	printf("%d %s %d\n", this->i->ID, copyinstr((uintptr_t)this->i->Name.str, this->i->Name.len), this->i->Next->ID);
	printf("%d %d\n", this->i->Pos.X, this->i->Next->Tags.len);
	printf("%d\n", a.out`main::Shelf->Next->Ok); }
	pid$target:a.out:main.Show:return { printf("%d\n", args[1]); }
	pid$target:a.out::item.go@41 { printf("%s\n", probefunc); }' -c ./item
"$DTRACE" -qn 'pid$target:a.out:main.Show:entry { printf("%d %d %s\n", args[0]->Next->ID, args[1], copyinstr(arg2, arg3)); }' -c ./item
"$DTRACE" -qn 'pid$target:a.out:main.Both:entry {
	printf("%d %d\n", args[0]->First, ((struct main::Pair<int32,string> *)args[0])->Second.len); }' -c ./item
"$DTRACE" -xerrtags -qn 'pid$target:a.out:main.Show:entry { trace(args[2]); }' -c ./item 2>&1 | sed -n 's/.*\(\[D_[A-Z_]*\]\).*/\1/p'
