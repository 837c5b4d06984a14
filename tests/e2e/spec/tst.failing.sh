# The classic use: follow every call, show those that failed.
cat >d <<'EOD'
syscall::openat:entry, syscall::read:entry
/pid == $target/
{
	self->s = speculation();
}
syscall::openat:entry, syscall::read:entry
/self->s/
{
	speculate(self->s);
	printf("%s begins\n", probefunc);
}
syscall::openat:return, syscall::read:return
/self->s/
{
	speculate(self->s);
	printf("%s ends: %d\n", probefunc, errno);
}
syscall::openat:return, syscall::read:return
/self->s && errno/
{
	commit(self->s);
	self->s = 0;
}
syscall::openat:return, syscall::read:return
/self->s && !errno/
{
	discard(self->s);
	self->s = 0;
}
EOD
"$DTRACE" -q -x nspec=8 -s d -c "$WORKLOAD read:1:10 open:1 read:1:10 open:1"
