# timeout: 30
# A number that is read was stored for that key, though another thread stores into and
# deletes elements without end, whose memory goes from one key to the next at once.
n=$(times 100)
cat >d <<'EOD'
uint64_t a[int]; int writer, bad, seen, reads, writes;
syscall::getppid:entry /pid == $target && !writer/ { writer = tid; }
syscall::getppid:entry
/pid == $target && tid == writer/
{
	for (this->i = 1; this->i < 10000; this->i++) {
		this->k = this->i % 5;
		a[this->k] = ((uint64_t)writes << 40) + (this->i << 8) + this->k + 1;
		a[(this->k + 2) % 5] = 0;
	}
	writes++;
}
syscall::getppid:entry
/pid == $target && tid != writer/
{
	for (this->j = 0; this->j < 30000; this->j++) {
		this->k = this->j % 5;
		this->v = a[this->k];
		if (this->v != 0) {
			seen++;
			if ((this->v & 0xff) != this->k + 1)
				bad++;
		}
	}
	reads++;
}
END
{
	printf("%d of others, %s, %s\n", bad, seen > 0 ? "some there" : "none there",
	    reads > 0 && writes > 0 ? "read and written" : "not tried");
}
EOD
for size in 1m 64k; do	# the latter has no places in front
	"$DTRACE" -q -x loopmax=100000 -x dynvarsize=$size -s d -c "$WORKLOAD -t 2 getppid:$n"
done
