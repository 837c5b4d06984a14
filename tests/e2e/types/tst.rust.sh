# needs: rustc
# Structs, strings and enums of Rust, as its debugging information says.
rustc -g -A warnings -o item "$HERE/item.rs"
"$DTRACE" -qn 'pid$target:a.out:show:entry {
	printf("%d %s %d %d %d\n", args[0]->id,
	    copyinstr((uintptr_t)args[0]->name.data_ptr, args[0]->name.length),
	    args[0]->tags[1], args[0]->ok, args[1]);
	print(args[0]->kind);
	print(args[0]->tags); }
	pid$target:a.out:show:entry /args[0]->price.discr == 1/ { printf("fixed %d\n", args[0]->price.Fixed.__0); }
	pid$target:a.out:show:entry /args[0]->price.discr == 2/ {
		printf("range %d %d\n", args[0]->price.Range.low, args[0]->price.Range.high); }
	pid$target:a.out:show:entry /args[0]->next.discr/ { printf("behind it %d\n", args[0]->next.Some.__0->id); }' \
	-n 'pid$target:a.out:pair:entry { this->v = (struct alloc::vec::Vec<u16> *)&args[0]->b;
	printf("%d %d %d\n", ((struct item::shop::Pair<u32, alloc::vec::Vec<u16>> *)arg0)->a,
	    args[0]->b.len, this->v->len); }' -c ./item
