# timeout: 60
# Four threads want places for the same new keys at once, each in an order of its own, more
# keys than there are places for: each key has one number, whether in front or in the
# hash, and what ends is gone.
cat >d <<'EOD'
int n[int], last[int, int]; int bad, left, order;
syscall::getppid:entry
/pid == $target/
{
	this->turn = order++;
	this->step = this->turn == 0 ? 1 : this->turn == 1 ? 77 :
	    this->turn == 2 ? 1234 : 9876;
	for (this->i = 0; this->i < 20011; this->i++) {
		this->k = this->i * this->step % 20011;
		n[this->k * 4096]++;
		last[this->k, -this->k] = this->k + 1;
	}
}
END
{
	for (this->k = 0; this->k < 20011; this->k++) {
		if (n[this->k * 4096] != 4 || last[this->k, -this->k] != this->k + 1)
			bad++;
		last[this->k, -this->k] = 0;
	}
	for (this->k = 0; this->k < 21000; this->k++)
		if (last[this->k, -this->k] != 0)
			left++;
	printf("%d wrong, %d left\n", bad, left);
}
EOD
for i in 1 2 3 4 5; do
	"$DTRACE" -q -x loopmax=100000 -x dynvarsize=64m -s d -c "$WORKLOAD -t 4 getppid:1"
done
# Without places in front, and with too few behind.
"$DTRACE" -q -x loopmax=100000 -x dynvarsize=1000k -s d -c "$WORKLOAD -t 4 getppid:1" 2>&1 |
	grep -c 'dynamic variable drops'
