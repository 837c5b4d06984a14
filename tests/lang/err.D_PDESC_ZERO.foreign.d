/* A system call that only other systems have, and nothing else matches. */
syscall::exec:return, syscall::resolvepath:entry
{
	trace(probefunc);
}
