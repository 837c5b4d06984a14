# timeout: 30
# A key that is there all the time is never absent, though another thread replaces
# its element without end, and those of the others that share its chain: there
# are about as many chains as keys.
n=$(times 60)
cat >d <<'EOD'
int a[int], writer, bad, reads, writes;
BEGIN { for (this->k = 0; this->k < 7; this->k++) a[this->k] = 1; }
syscall::getppid:entry /pid == $target && !writer/ { writer = tid; }
syscall::getppid:entry
/pid == $target && tid == writer/
{
	for (this->i = 0; this->i < 15000; this->i++)
		a[this->i % 7] = 1 + this->i;
	writes++;
}
syscall::getppid:entry
/pid == $target && tid != writer/
{
	for (this->j = 0; this->j < 30000; this->j++)
		if (a[this->j % 7] == 0)
			bad++;
	reads++;
}
END
{
	printf("%s, %s\n", bad == 0 ? "never absent" : "absent",
	    reads > 0 && writes > 0 ? "read and written" : "not tried");
}
EOD
for i in 1 2 3; do		# which keys share a chain is chance
	"$DTRACE" -q -x loopmax=100000 -x dynvarsize=740 -s d \
		-c "$WORKLOAD -t 2 getppid:$n"
done
