/* Kernel structures, symbols, typed arguments. */
io:::start
{
	this->b = args[0];
	printf("%d %d %s\n", this->b->b_bcount, args[0]->b_task->pid,
	    stringof(this->b->b_task->comm));
	trace(curthread->low + curthread->high);
	trace(`jiffies);
	trace(&`do_exit);
	trace(vmlinux`init_task.prio[1]);
	trace(`idle.pid);
	trace(curthread->state == SLEEPING);
}
