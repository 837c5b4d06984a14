/* Locks made by hand, since the kernel's own change: who holds them. */
/* flags: -q */
BEGIN
{
	this->m = (struct mutex *)alloca(sizeof (struct mutex));
	this->w = (int64_t *)&this->m->owner;
	printf("mutex: %d %d %d %d\n", mutex_owned(this->m),
	    mutex_owner(this->m) == NULL, mutex_type_adaptive(this->m),
	    mutex_type_spin(this->m));
	*this->w = (int64_t)curthread | 5;	/* with two flags */
	printf("mine: %d %s\n", mutex_owned(this->m),
	    mutex_owner(this->m)->comm);
	*this->w = (int64_t)curthread->real_parent;
	printf("not mine: %d %d\n", mutex_owned(this->m),
	    mutex_owner(this->m) == curthread->real_parent);
}
BEGIN
{
	this->l = (struct rw_semaphore *)alloca(sizeof (struct rw_semaphore));
	this->c = (int64_t *)&this->l->count;
	printf("free: %d %d %d\n", rw_read_held(this->l),
	    rw_write_held(this->l), rw_iswriter(this->l));
	*this->c = 3 << 8;
	printf("three readers: %d %d %d\n", rw_read_held(this->l),
	    rw_write_held(this->l), rw_iswriter(this->l));
	*this->c |= 2;
	printf("somebody waits: %d %d %d\n", rw_read_held(this->l),
	    rw_write_held(this->l), rw_iswriter(this->l));
	*this->c = 1;
	printf("written: %d %d %d\n", rw_read_held(this->l),
	    rw_write_held(this->l), rw_iswriter(this->l));
	printf("memory of this process: %d\n",
	    rw_write_held(&curthread->mm->mmap_lock));
}
BEGIN { mutex_owned((struct mutex *)16); }
BEGIN { rw_read_held((struct rw_semaphore *)24); }
BEGIN { exit(0); }
