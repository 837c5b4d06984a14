# Locks made by hand, since the kernel's own change: who holds them.  (Real-time kernels
# have an rt_mutex for the one, and count readers of the other in 31 bits, the uppermost of which
# says that no writer has it or waits, and the next that one has it.)
case $(uname -v) in
*PREEMPT_RT*)
	set -- -DOWNER=rtmutex.owner -DCOUNT=rwbase.readers -DFREE='(1LL << 31)' \
		-DREAD_BY_3='((1LL << 31) + 3)' -DWANTED=3 -DWRITTEN='(1 << 30)' ;;
*)
	set -- -DOWNER=owner -DCOUNT=count -DFREE=0 \
		-DREAD_BY_3='(3 << 8)' -DWANTED='(3 << 8 | 2)' -DWRITTEN=1 ;;
esac
cat >script <<'END'
BEGIN
{
	this->m = (struct mutex *)alloca(sizeof (struct mutex));
	this->w = (int64_t *)&this->m->OWNER;
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
	this->c = (int64_t *)&this->l->COUNT;
	*this->c = FREE;
	printf("free: %d %d %d\n", rw_read_held(this->l),
	    rw_write_held(this->l), rw_iswriter(this->l));
	*this->c = READ_BY_3;
	printf("three readers: %d %d %d\n", rw_read_held(this->l),
	    rw_write_held(this->l), rw_iswriter(this->l));
	*this->c = WANTED;
	printf("somebody waits: %d %d %d\n", rw_read_held(this->l),
	    rw_write_held(this->l), rw_iswriter(this->l));
	*this->c = WRITTEN;
	printf("written: %d %d %d\n", rw_read_held(this->l),
	    rw_write_held(this->l), rw_iswriter(this->l));
	printf("memory of this process: %d\n",
	    rw_write_held(&curthread->mm->mmap_lock));
}
BEGIN { mutex_owned((struct mutex *)16); }
BEGIN { rw_read_held((struct rw_semaphore *)24); }
BEGIN { exit(0); }
END
"$DTRACE" -q -C "$@" -s script
