# needs: cc
# A structure of a process that a program has copied is read where the copy lies, also by
# its type and behind a variable or a cast between; pointers in it lead to the process.
cc -g -O1 -o shapes "$HERE/shapes.c"
"$DTRACE" -qn 'pid$target:a.out:look_at:entry {
	this->i = (struct item *)copyin(arg0, sizeof(struct item));
	printf("%d %s %d %s|", this->i->value, this->i->text, this->i->low,
	    stringof(this->i->next->name));
	this->bytes = (char *)copyin(arg0, sizeof(struct item));
	printf("%d %d|", ((struct item *)this->bytes)->value,
	    ((struct item *)(this->bytes + sizeof(struct item)))[-1].wide);
	this->own = (struct item *)alloca(sizeof(struct item));
	copyinto(arg0, sizeof(struct item), this->own);
	this->own->value += 5;
	printf("%d %d\n", this->own->value, ((struct item *)arg0)->value); }' -c ./shapes
