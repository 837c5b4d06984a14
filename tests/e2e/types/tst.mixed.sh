# needs: cc
# Members without names, arrays of enums, bit-fields, arrays without an end: in print(), and
# where they are looked at.
cc -g -o mixed "$HERE/mixed.c"
"$DTRACE" -qn 'syscall::write:entry /pid == $target && arg2 == 5/ {
	this->m = (struct mixed *)arg1;
	print(*this->m);
	print(this->m->list[0]); print(this->m->list[1].color); print(this->m->state);
	printf("%d %d %d %d %d %d\n", this->m->low, this->m->one, this->m->y, this->m->ok,
	    this->m->both == (2L << 32 | 1), this->m->list[1].n);
	printf("%d %d %d\n", this->m->one == BLUE, this->m->state == OFF,
	    this->m->all[0] == RED); }' -c ./mixed
