# timeout: 60
# Keys that several CPUs count up and down at once, and that are stored into as well: in front
# nothing is lost.  Behind it, where these keys have come too late for a place, zeros end.
cat >d <<'EOD'
int open[int], bytes[int, int]; short few[int]; long of[int];
BEGIN { open[7] = 1; of[1] = 1000; of[2] = 5; of[2] = 0; }
syscall::getppid:entry /pid == $target/ {
	open[1]++; bytes[1, 2] += 100; few[-1] += 3; of[1]++; this->was = of[2]++;
	@ = count();
}
syscall::getppid:return /pid == $target/ { open[1]--; bytes[1, 2] -= 100; few[-1] -= 3; of[1] += 2; }
END {
	printf("%d %d %d %d %d", open[7], open[1], bytes[1, 2], few[-1], of[1] - 1000);
	printa(" %@d", @); printf(" %d\n", of[2]);
}
EOD
"$DTRACE" -qs d -c "$WORKLOAD -t 4 getppid:50000"
# Many more keys than places, each up and down: none is left, and there is room.
cat >d <<'EOD'
int c[int]; int bad;
syscall::getppid:entry /pid == $target/ {
	for (this->i = 0; this->i < 5000; this->i++) {
		this->k = tid * 1000000 + base[tid] + this->i;
		c[this->k] += 2; c[this->k]--; this->was = c[this->k]--;
		bad += this->was != 1 || c[this->k] != 0;
	}
	base[tid] += 5000;
}
END { printf("%d wrong\n", bad); }
EOD
"$DTRACE" -q -x loopmax=100000 -s d -c "$WORKLOAD -t 4 getppid:10"
