# needs: cc
# A list, a tree and a hash table of a program, told by D alone.
cc -g -O1 -o shapes "$HERE/shapes.c"
"$DTRACE" -qn 'syscall::write:entry /pid == $target && arg2 == 1/ {
	this->i = (struct item *)arg1;
	for (int n = 0; n < 10 && this->i; n++) {
		printf("%s %d %d %d %d %d %x %s\n", stringof(this->i->name), this->i->value,
		    this->i->color, this->i->low, this->i->high, this->i->wide,
		    this->i->bytes[1], this->i->text);
		this->i = this->i->next;
	} }' -c ./shapes
"$DTRACE" -qn 'syscall::write:entry /pid == $target && arg2 == 2/ {
	this->t = (leaf_t *)arg1;
	printf("%d (%d (%d %d) %d (%d %d))\n", this->t->key,
	    this->t->left->key, this->t->left->left->key, this->t->left->right->key,
	    this->t->right->key, this->t->right->left->key, this->t->right->right->key);
	self->leaf = this->t->left;
	leaves[1, "right"] = this->t->right; }
	syscall::write:return /self->leaf/ {
	printf("%d %d %d\n", self->leaf->key, leaves[1, "right"]->left->key,
	    leaves[1, "right"] == self->leaf); exit(0); }' -c ./shapes
"$DTRACE" -qn 'syscall::write:entry /pid == $target && arg2 == 3/ {
	this->t = (struct table *)arg1;
	for (int i = 0; i < 4; i++) {
		this->b = this->t->slots[i];
		for (int k = 0; k < 4 && this->b; k++) {
			@[i, stringof(this->b->key)] = sum(this->b->count);
			this->b = this->b->chain;
		}
	} } END { printa("%d %s %@d\n", @); }' -c ./shapes | sort
"$DTRACE" -qn 'syscall::write:entry /pid == $target && arg2 == 4/ {
	this->f = (struct flexible *)arg1;
	for (int i = 0; i < this->f->n; i++)
		printf("%d,%d ", this->f->points[i].x, this->f->points[i].y);
	printf("\n"); }' -c ./shapes
